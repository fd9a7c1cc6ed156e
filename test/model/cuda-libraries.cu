// Calls of CUDA's libraries, one a line: what the model says of each, and the facts
// that follow.
//
// RUN: %check_facts %s
#include <nvrtc.h>
#include <cublas_v2.h>
#include <cublasXt.h>
#include <cublasLt.h>
#include <cudnn.h>
#include <cufft.h>
#include <cusparse.h>
#include <cusolverDn.h>
#include <cusolverSp.h>
#include <curand.h>
#include <nccl.h>
#include <npp.h>
#include <nvjpeg.h>

// What the stand-in headers do not declare.
extern "C" {
typedef struct Object *Info, *cudnnPersistentRNNPlan_t, *cudnnTensorTransformDescriptor_t;
typedef void *cudnnBackendDescriptor_t;
cudnnStatus_t cudnnCreatePersistentRNNPlan(cudnnRNNDescriptor_t, int, cudnnDataType_t,
                                           cudnnPersistentRNNPlan_t *);
cudnnStatus_t cudnnDestroyPersistentRNNPlan(cudnnPersistentRNNPlan_t);
cudnnStatus_t cudnnCreateTensorTransformDescriptor(cudnnTensorTransformDescriptor_t *);
cudnnStatus_t cudnnDestroyTensorTransformDescriptor(cudnnTensorTransformDescriptor_t);
cudnnStatus_t cudnnBackendCreateDescriptor(int, cudnnBackendDescriptor_t *);
cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t);
cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t *);
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t *);
cusparseStatus_t cusparseCreateCsrgemm2Info(Info *);
cusparseStatus_t cusparseDestroyCsrgemm2Info(Info);
cusparseStatus_t cusparseCreateCsrsv2Info(Info *);
cusparseStatus_t cusparseDestroyCsrsv2Info(Info);
cusparseStatus_t cusparseCreateCsrsm2Info(Info *);
cusparseStatus_t cusparseDestroyCsrsm2Info(Info);
cusparseStatus_t cusparseCreateCsrilu02Info(Info *);
cusparseStatus_t cusparseDestroyCsrilu02Info(Info);
cusparseStatus_t cusparseCreateCsric02Info(Info *);
cusparseStatus_t cusparseDestroyCsric02Info(Info);
cusparseStatus_t cusparseCreateBsrsv2Info(Info *);
cusparseStatus_t cusparseDestroyBsrsv2Info(Info);
cusparseStatus_t cusparseCreatePruneInfo(Info *);
cusparseStatus_t cusparseDestroyPruneInfo(Info);
cusolverStatus_t cusolverRfCreate(Info *);
cusolverStatus_t cusolverRfDestroy(Info);
cusolverStatus_t cusolverMgCreate(Info *);
cusolverStatus_t cusolverMgDestroy(Info);
cusolverStatus_t cusolverSpCreateCsrqrInfo(Info *);
cusolverStatus_t cusolverSpDestroyCsrqrInfo(Info);
cusolverStatus_t cusolverDnIRSParamsCreate(Info *);
cusolverStatus_t cusolverDnIRSParamsDestroy(Info);
}

//===-- Program ---------------------------------------------------------===//

void program_lines() {
  { nvrtcProgram p; nvrtcCreateProgram(&p, nullptr, nullptr, 0, nullptr, nullptr); } // FACTS: call nvrtcCreateProgram: Out Program (an nvrtc program, nvrtcDestroyProgram), argument 0; returns a status; resource Acquire p := Program
  { nvrtcProgram p{}; nvrtcDestroyProgram(&p); } // FACTS: call nvrtcDestroyProgram: FreeAt Program, argument 0; returns a status; resource Release p
}

//===-- Cublas ----------------------------------------------------------===//

void cublas_lines() {
  { cublasHandle_t p; cublasCreate(&p); } // FACTS: call cublasCreate: Out Cublas (a cuBLAS handle, cublasDestroy), argument 0; returns a status; resource Acquire p := Cublas
  { cublasXtHandle_t p; cublasXtCreate(&p); } // FACTS: call cublasXtCreate: Out Cublas (a cuBLAS handle, cublasDestroy), argument 0; returns a status; resource Acquire p := Cublas
  { cublasHandle_t p{}; cublasDestroy(p); } // FACTS: call cublasDestroy: Free Cublas, argument 0; returns a status; resource Release p
  { cublasXtHandle_t p{}; cublasXtDestroy(p); } // FACTS: call cublasXtDestroy: Free Cublas, argument 0; returns a status; resource Release p
}

//===-- Cublas lt -------------------------------------------------------===//

void cublas_lt_lines() {
  { cublasLtHandle_t p; cublasLtCreate(&p); } // FACTS: call cublasLtCreate: Out CublasLt (a cuBLASLt handle, cublasLtDestroy), argument 0; returns a status; resource Acquire p := CublasLt
  { cublasLtHandle_t p{}; cublasLtDestroy(p); } // FACTS: call cublasLtDestroy: Free CublasLt, argument 0; returns a status; resource Release p
}

//===-- Cublas lt desc --------------------------------------------------===//

void cublas_lt_desc_lines() {
  { cublasLtMatmulDesc_t p; cublasLtMatmulDescCreate(&p, {}, {}); } // FACTS: call cublasLtMatmulDescCreate: Out CublasLtDesc (a cuBLASLt descriptor, the cublasLt...Destroy of its type), argument 0; returns a status; resource Acquire p := CublasLtDesc
  { cublasLtMatrixLayout_t p; cublasLtMatrixLayoutCreate(&p, {}, {}, {}, {}); } // FACTS: call cublasLtMatrixLayoutCreate: Out CublasLtDesc (a cuBLASLt descriptor, the cublasLt...Destroy of its type), argument 0; returns a status; resource Acquire p := CublasLtDesc
  { cublasLtMatmulPreference_t p; cublasLtMatmulPreferenceCreate(&p); } // FACTS: call cublasLtMatmulPreferenceCreate: Out CublasLtDesc (a cuBLASLt descriptor, the cublasLt...Destroy of its type), argument 0; returns a status; resource Acquire p := CublasLtDesc
  { cublasLtMatrixTransformDesc_t p; cublasLtMatrixTransformDescCreate(&p, {}); } // FACTS: call cublasLtMatrixTransformDescCreate: Out CublasLtDesc (a cuBLASLt descriptor, the cublasLt...Destroy of its type), argument 0; returns a status; resource Acquire p := CublasLtDesc
  { cublasLtMatmulDesc_t p{}; cublasLtMatmulDescDestroy(p); } // FACTS: call cublasLtMatmulDescDestroy: Free CublasLtDesc, argument 0; returns a status; resource Release p
  { cublasLtMatrixLayout_t p{}; cublasLtMatrixLayoutDestroy(p); } // FACTS: call cublasLtMatrixLayoutDestroy: Free CublasLtDesc, argument 0; returns a status; resource Release p
  { cublasLtMatmulPreference_t p{}; cublasLtMatmulPreferenceDestroy(p); } // FACTS: call cublasLtMatmulPreferenceDestroy: Free CublasLtDesc, argument 0; returns a status; resource Release p
  { cublasLtMatrixTransformDesc_t p{}; cublasLtMatrixTransformDescDestroy(p); } // FACTS: call cublasLtMatrixTransformDescDestroy: Free CublasLtDesc, argument 0; returns a status; resource Release p
}

//===-- Cudnn -----------------------------------------------------------===//

void cudnn_lines() {
  { cudnnHandle_t p; cudnnCreate(&p); } // FACTS: call cudnnCreate: Out Cudnn (a cuDNN handle, cudnnDestroy), argument 0; returns a status; resource Acquire p := Cudnn
  { cudnnHandle_t p{}; cudnnDestroy(p); } // FACTS: call cudnnDestroy: Free Cudnn, argument 0; returns a status; resource Release p
}

//===-- Cudnn desc ------------------------------------------------------===//

void cudnn_desc_lines() {
  { cudnnTensorDescriptor_t p; cudnnCreateTensorDescriptor(&p); } // FACTS: call cudnnCreateTensorDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnFilterDescriptor_t p; cudnnCreateFilterDescriptor(&p); } // FACTS: call cudnnCreateFilterDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnConvolutionDescriptor_t p; cudnnCreateConvolutionDescriptor(&p); } // FACTS: call cudnnCreateConvolutionDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnPoolingDescriptor_t p; cudnnCreatePoolingDescriptor(&p); } // FACTS: call cudnnCreatePoolingDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnActivationDescriptor_t p; cudnnCreateActivationDescriptor(&p); } // FACTS: call cudnnCreateActivationDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnDropoutDescriptor_t p; cudnnCreateDropoutDescriptor(&p); } // FACTS: call cudnnCreateDropoutDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnRNNDescriptor_t p; cudnnCreateRNNDescriptor(&p); } // FACTS: call cudnnCreateRNNDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnRNNDataDescriptor_t p; cudnnCreateRNNDataDescriptor(&p); } // FACTS: call cudnnCreateRNNDataDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnOpTensorDescriptor_t p; cudnnCreateOpTensorDescriptor(&p); } // FACTS: call cudnnCreateOpTensorDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnReduceTensorDescriptor_t p; cudnnCreateReduceTensorDescriptor(&p); } // FACTS: call cudnnCreateReduceTensorDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnLRNDescriptor_t p; cudnnCreateLRNDescriptor(&p); } // FACTS: call cudnnCreateLRNDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnSpatialTransformerDescriptor_t p; cudnnCreateSpatialTransformerDescriptor(&p); } // FACTS: call cudnnCreateSpatialTransformerDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnSeqDataDescriptor_t p; cudnnCreateSeqDataDescriptor(&p); } // FACTS: call cudnnCreateSeqDataDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnAttnDescriptor_t p; cudnnCreateAttnDescriptor(&p); } // FACTS: call cudnnCreateAttnDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnCTCLossDescriptor_t p; cudnnCreateCTCLossDescriptor(&p); } // FACTS: call cudnnCreateCTCLossDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnTensorDescriptor_t p{}; cudnnDestroyTensorDescriptor(p); } // FACTS: call cudnnDestroyTensorDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnFilterDescriptor_t p{}; cudnnDestroyFilterDescriptor(p); } // FACTS: call cudnnDestroyFilterDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnConvolutionDescriptor_t p{}; cudnnDestroyConvolutionDescriptor(p); } // FACTS: call cudnnDestroyConvolutionDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnPoolingDescriptor_t p{}; cudnnDestroyPoolingDescriptor(p); } // FACTS: call cudnnDestroyPoolingDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnActivationDescriptor_t p{}; cudnnDestroyActivationDescriptor(p); } // FACTS: call cudnnDestroyActivationDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnDropoutDescriptor_t p{}; cudnnDestroyDropoutDescriptor(p); } // FACTS: call cudnnDestroyDropoutDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnRNNDescriptor_t p{}; cudnnDestroyRNNDescriptor(p); } // FACTS: call cudnnDestroyRNNDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnRNNDataDescriptor_t p{}; cudnnDestroyRNNDataDescriptor(p); } // FACTS: call cudnnDestroyRNNDataDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnOpTensorDescriptor_t p{}; cudnnDestroyOpTensorDescriptor(p); } // FACTS: call cudnnDestroyOpTensorDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnReduceTensorDescriptor_t p{}; cudnnDestroyReduceTensorDescriptor(p); } // FACTS: call cudnnDestroyReduceTensorDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnLRNDescriptor_t p{}; cudnnDestroyLRNDescriptor(p); } // FACTS: call cudnnDestroyLRNDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnSpatialTransformerDescriptor_t p{}; cudnnDestroySpatialTransformerDescriptor(p); } // FACTS: call cudnnDestroySpatialTransformerDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnSeqDataDescriptor_t p{}; cudnnDestroySeqDataDescriptor(p); } // FACTS: call cudnnDestroySeqDataDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnAttnDescriptor_t p{}; cudnnDestroyAttnDescriptor(p); } // FACTS: call cudnnDestroyAttnDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnCTCLossDescriptor_t p{}; cudnnDestroyCTCLossDescriptor(p); } // FACTS: call cudnnDestroyCTCLossDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnPersistentRNNPlan_t p; cudnnCreatePersistentRNNPlan({}, 1, {}, &p); } // FACTS: call cudnnCreatePersistentRNNPlan: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 3; returns a status; resource Acquire p := CudnnDesc
  { cudnnTensorTransformDescriptor_t p; cudnnCreateTensorTransformDescriptor(&p); } // FACTS: call cudnnCreateTensorTransformDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 0; returns a status; resource Acquire p := CudnnDesc
  { cudnnTensorTransformDescriptor_t p{}; cudnnDestroyTensorTransformDescriptor(p); } // FACTS: call cudnnDestroyTensorTransformDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnBackendDescriptor_t p; cudnnBackendCreateDescriptor(0, &p); } // FACTS: call cudnnBackendCreateDescriptor: Out CudnnDesc (a cuDNN descriptor, the cudnnDestroy...Descriptor of its type), argument 1; returns a status; resource Acquire p := CudnnDesc
  { cudnnBackendDescriptor_t p{}; cudnnBackendDestroyDescriptor(p); } // FACTS: call cudnnBackendDestroyDescriptor: Free CudnnDesc, argument 0; returns a status; resource Release p
  { cudnnPersistentRNNPlan_t p{}; cudnnDestroyPersistentRNNPlan(p); } // FACTS: call cudnnDestroyPersistentRNNPlan: Free CudnnDesc, argument 0; returns a status; resource Release p
}

//===-- Cufft -----------------------------------------------------------===//

void cufft_lines() {
  { cufftHandle p; cufftCreate(&p); } // FACTS: call cufftCreate: Out Cufft (a cuFFT plan, cufftDestroy), argument 0; returns a status; resource Acquire p := Cufft
  { cufftHandle p; cufftPlan1d(&p, 0, {}, 0); } // FACTS: call cufftPlan1d: Out Cufft (a cuFFT plan, cufftDestroy), argument 0; returns a status; resource Acquire p := Cufft
  { cufftHandle p; cufftPlan2d(&p, 0, 0, {}); } // FACTS: call cufftPlan2d: Out Cufft (a cuFFT plan, cufftDestroy), argument 0; returns a status; resource Acquire p := Cufft
  { cufftHandle p; cufftPlan3d(&p, 0, 0, 0, {}); } // FACTS: call cufftPlan3d: Out Cufft (a cuFFT plan, cufftDestroy), argument 0; returns a status; resource Acquire p := Cufft
  { cufftHandle p; cufftPlanMany(&p, 0, nullptr, nullptr, 0, 0, nullptr, 0, 0, {}, 0); } // FACTS: call cufftPlanMany: Out Cufft (a cuFFT plan, cufftDestroy), argument 0; returns a status; resource Acquire p := Cufft
  { cufftHandle p{}; cufftDestroy(p); } // FACTS: call cufftDestroy: Free Cufft, argument 0; returns a status; resource Release p
}

//===-- Cusparse --------------------------------------------------------===//

void cusparse_lines() {
  { cusparseHandle_t p; cusparseCreate(&p); } // FACTS: call cusparseCreate: Out Cusparse (a cuSPARSE handle, cusparseDestroy), argument 0; returns a status; resource Acquire p := Cusparse
  { cusparseHandle_t p{}; cusparseDestroy(p); } // FACTS: call cusparseDestroy: Free Cusparse, argument 0; returns a status; resource Release p
}

//===-- Cusparse desc ---------------------------------------------------===//

void cusparse_desc_lines() {
  { cusparseMatDescr_t p; cusparseCreateMatDescr(&p); } // FACTS: call cusparseCreateMatDescr: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { cusparseDnMatDescr_t p; cusparseCreateDnMat(&p, {}, {}, {}, nullptr, {}, {}); } // FACTS: call cusparseCreateDnMat: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { cusparseDnVecDescr_t p; cusparseCreateDnVec(&p, {}, nullptr, {}); } // FACTS: call cusparseCreateDnVec: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { cusparseSpVecDescr_t p; cusparseCreateSpVec(&p, {}, {}, nullptr, nullptr, {}, {}, {}); } // FACTS: call cusparseCreateSpVec: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { cusparseSpMatDescr_t p; cusparseCreateCsr(&p, {}, {}, {}, nullptr, nullptr, nullptr, {}, {}, {}, {}); } // FACTS: call cusparseCreateCsr: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { cusparseSpMatDescr_t p; cusparseCreateCsc(&p, {}, {}, {}, nullptr, nullptr, nullptr, {}, {}, {}, {}); } // FACTS: call cusparseCreateCsc: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { cusparseSpMatDescr_t p; cusparseCreateCoo(&p, {}, {}, {}, nullptr, nullptr, nullptr, {}, {}, {}); } // FACTS: call cusparseCreateCoo: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { cusparseSpGEMMDescr_t p; cusparseSpGEMM_createDescr(&p); } // FACTS: call cusparseSpGEMM_createDescr: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { cusparseSpSVDescr_t p; cusparseSpSV_createDescr(&p); } // FACTS: call cusparseSpSV_createDescr: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { cusparseSpSMDescr_t p; cusparseSpSM_createDescr(&p); } // FACTS: call cusparseSpSM_createDescr: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { cusparseMatDescr_t p{}; cusparseDestroyMatDescr(p); } // FACTS: call cusparseDestroyMatDescr: Free CusparseDesc, argument 0; returns a status; resource Release p
  { cusparseConstDnMatDescr_t p{}; cusparseDestroyDnMat(p); } // FACTS: call cusparseDestroyDnMat: Free CusparseDesc, argument 0; returns a status; resource Release p
  { cusparseConstDnVecDescr_t p{}; cusparseDestroyDnVec(p); } // FACTS: call cusparseDestroyDnVec: Free CusparseDesc, argument 0; returns a status; resource Release p
  { cusparseConstSpVecDescr_t p{}; cusparseDestroySpVec(p); } // FACTS: call cusparseDestroySpVec: Free CusparseDesc, argument 0; returns a status; resource Release p
  { cusparseConstSpMatDescr_t p{}; cusparseDestroySpMat(p); } // FACTS: call cusparseDestroySpMat: Free CusparseDesc, argument 0; returns a status; resource Release p
  { cusparseSpGEMMDescr_t p{}; cusparseSpGEMM_destroyDescr(p); } // FACTS: call cusparseSpGEMM_destroyDescr: Free CusparseDesc, argument 0; returns a status; resource Release p
  { cusparseSpSVDescr_t p{}; cusparseSpSV_destroyDescr(p); } // FACTS: call cusparseSpSV_destroyDescr: Free CusparseDesc, argument 0; returns a status; resource Release p
  { cusparseSpSMDescr_t p{}; cusparseSpSM_destroyDescr(p); } // FACTS: call cusparseSpSM_destroyDescr: Free CusparseDesc, argument 0; returns a status; resource Release p
  { cusparseSpMatDescr_t p; cusparseCreateBlockedEll(&p); } // FACTS: call cusparseCreateBlockedEll: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { cusparseSpMatDescr_t p; cusparseCreateBsr(&p); } // FACTS: call cusparseCreateBsr: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { Info p; cusparseCreateCsrgemm2Info(&p); } // FACTS: call cusparseCreateCsrgemm2Info: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { Info p; cusparseCreateCsrsv2Info(&p); } // FACTS: call cusparseCreateCsrsv2Info: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { Info p; cusparseCreateCsrsm2Info(&p); } // FACTS: call cusparseCreateCsrsm2Info: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { Info p; cusparseCreateCsrilu02Info(&p); } // FACTS: call cusparseCreateCsrilu02Info: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { Info p; cusparseCreateCsric02Info(&p); } // FACTS: call cusparseCreateCsric02Info: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { Info p; cusparseCreateBsrsv2Info(&p); } // FACTS: call cusparseCreateBsrsv2Info: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { Info p; cusparseCreatePruneInfo(&p); } // FACTS: call cusparseCreatePruneInfo: Out CusparseDesc (a cuSPARSE descriptor, the cusparseDestroy... of its type), argument 0; returns a status; resource Acquire p := CusparseDesc
  { Info p{}; cusparseDestroyCsrgemm2Info(p); } // FACTS: call cusparseDestroyCsrgemm2Info: Free CusparseDesc, argument 0; returns a status; resource Release p
  { Info p{}; cusparseDestroyCsrsv2Info(p); } // FACTS: call cusparseDestroyCsrsv2Info: Free CusparseDesc, argument 0; returns a status; resource Release p
  { Info p{}; cusparseDestroyCsrsm2Info(p); } // FACTS: call cusparseDestroyCsrsm2Info: Free CusparseDesc, argument 0; returns a status; resource Release p
  { Info p{}; cusparseDestroyCsrilu02Info(p); } // FACTS: call cusparseDestroyCsrilu02Info: Free CusparseDesc, argument 0; returns a status; resource Release p
  { Info p{}; cusparseDestroyCsric02Info(p); } // FACTS: call cusparseDestroyCsric02Info: Free CusparseDesc, argument 0; returns a status; resource Release p
  { Info p{}; cusparseDestroyBsrsv2Info(p); } // FACTS: call cusparseDestroyBsrsv2Info: Free CusparseDesc, argument 0; returns a status; resource Release p
  { Info p{}; cusparseDestroyPruneInfo(p); } // FACTS: call cusparseDestroyPruneInfo: Free CusparseDesc, argument 0; returns a status; resource Release p
}

//===-- Cusolver --------------------------------------------------------===//

void cusolver_lines() {
  { cusolverDnHandle_t p; cusolverDnCreate(&p); } // FACTS: call cusolverDnCreate: Out Cusolver (a cuSOLVER handle, the cusolver...Destroy of its type), argument 0; returns a status; resource Acquire p := Cusolver
  { cusolverSpHandle_t p; cusolverSpCreate(&p); } // FACTS: call cusolverSpCreate: Out Cusolver (a cuSOLVER handle, the cusolver...Destroy of its type), argument 0; returns a status; resource Acquire p := Cusolver
  { cusolverDnParams_t p; cusolverDnCreateParams(&p); } // FACTS: call cusolverDnCreateParams: Out Cusolver (a cuSOLVER handle, the cusolver...Destroy of its type), argument 0; returns a status; resource Acquire p := Cusolver
  { syevjInfo_t p; cusolverDnCreateSyevjInfo(&p); } // FACTS: call cusolverDnCreateSyevjInfo: Out Cusolver (a cuSOLVER handle, the cusolver...Destroy of its type), argument 0; returns a status; resource Acquire p := Cusolver
  { gesvdjInfo_t p; cusolverDnCreateGesvdjInfo(&p); } // FACTS: call cusolverDnCreateGesvdjInfo: Out Cusolver (a cuSOLVER handle, the cusolver...Destroy of its type), argument 0; returns a status; resource Acquire p := Cusolver
  { cusolverDnHandle_t p{}; cusolverDnDestroy(p); } // FACTS: call cusolverDnDestroy: Free Cusolver, argument 0; returns a status; resource Release p
  { cusolverSpHandle_t p{}; cusolverSpDestroy(p); } // FACTS: call cusolverSpDestroy: Free Cusolver, argument 0; returns a status; resource Release p
  { cusolverDnParams_t p{}; cusolverDnDestroyParams(p); } // FACTS: call cusolverDnDestroyParams: Free Cusolver, argument 0; returns a status; resource Release p
  { syevjInfo_t p{}; cusolverDnDestroySyevjInfo(p); } // FACTS: call cusolverDnDestroySyevjInfo: Free Cusolver, argument 0; returns a status; resource Release p
  { gesvdjInfo_t p{}; cusolverDnDestroyGesvdjInfo(p); } // FACTS: call cusolverDnDestroyGesvdjInfo: Free Cusolver, argument 0; returns a status; resource Release p
  { Info p; cusolverRfCreate(&p); } // FACTS: call cusolverRfCreate: Out Cusolver (a cuSOLVER handle, the cusolver...Destroy of its type), argument 0; returns a status; resource Acquire p := Cusolver
  { Info p; cusolverMgCreate(&p); } // FACTS: call cusolverMgCreate: Out Cusolver (a cuSOLVER handle, the cusolver...Destroy of its type), argument 0; returns a status; resource Acquire p := Cusolver
  { Info p; cusolverSpCreateCsrqrInfo(&p); } // FACTS: call cusolverSpCreateCsrqrInfo: Out Cusolver (a cuSOLVER handle, the cusolver...Destroy of its type), argument 0; returns a status; resource Acquire p := Cusolver
  { Info p; cusolverDnIRSParamsCreate(&p); } // FACTS: call cusolverDnIRSParamsCreate: Out Cusolver (a cuSOLVER handle, the cusolver...Destroy of its type), argument 0; returns a status; resource Acquire p := Cusolver
  { Info p{}; cusolverRfDestroy(p); } // FACTS: call cusolverRfDestroy: Free Cusolver, argument 0; returns a status; resource Release p
  { Info p{}; cusolverMgDestroy(p); } // FACTS: call cusolverMgDestroy: Free Cusolver, argument 0; returns a status; resource Release p
  { Info p{}; cusolverSpDestroyCsrqrInfo(p); } // FACTS: call cusolverSpDestroyCsrqrInfo: Free Cusolver, argument 0; returns a status; resource Release p
  { Info p{}; cusolverDnIRSParamsDestroy(p); } // FACTS: call cusolverDnIRSParamsDestroy: Free Cusolver, argument 0; returns a status; resource Release p
}

//===-- Curand ----------------------------------------------------------===//

void curand_lines() {
  { curandGenerator_t p; curandCreateGenerator(&p, {}); } // FACTS: call curandCreateGenerator: Out Curand (a cuRAND generator, curandDestroyGenerator), argument 0; returns a status; resource Acquire p := Curand
  { curandGenerator_t p; curandCreateGeneratorHost(&p, {}); } // FACTS: call curandCreateGeneratorHost: Out Curand (a cuRAND generator, curandDestroyGenerator), argument 0; returns a status; resource Acquire p := Curand
  { curandGenerator_t p{}; curandDestroyGenerator(p); } // FACTS: call curandDestroyGenerator: Free Curand, argument 0; returns a status; resource Release p
}

//===-- Nccl ------------------------------------------------------------===//

void nccl_lines() {
  { ncclComm_t p; ncclCommInitRank(&p, 0, {}, 0); } // FACTS: call ncclCommInitRank: Out Nccl (a NCCL communicator, ncclCommDestroy), argument 0; returns a status; resource Acquire p := Nccl
  { ncclComm_t p; ncclCommInitAll(&p, 1, nullptr); } // FACTS: call ncclCommInitAll: Out Nccl (a NCCL communicator, ncclCommDestroy), argument 0; returns a status; resource Acquire p := Nccl
  { ncclComm_t p; ncclCommInitRankConfig(&p, 0, {}, 0, nullptr); } // FACTS: call ncclCommInitRankConfig: Out Nccl (a NCCL communicator, ncclCommDestroy), argument 0; returns a status; resource Acquire p := Nccl
  { ncclComm_t p; ncclCommSplit({}, 0, 0, &p, nullptr); } // FACTS: call ncclCommSplit: Out Nccl (a NCCL communicator, ncclCommDestroy), argument 3; returns a status; resource Acquire p := Nccl
  { ncclComm_t p{}; ncclCommDestroy(p); } // FACTS: call ncclCommDestroy: Free Nccl, argument 0; returns a status; resource Release p
  { ncclComm_t p{}; ncclCommAbort(p); } // FACTS: call ncclCommAbort: Free Nccl, argument 0; returns a status; resource Release p
}

//===-- Nccl memory -----------------------------------------------------===//

void nccl_memory_lines() {
  { void *p; ncclMemAlloc(&p, 64); } // FACTS: call ncclMemAlloc: Out NcclMemory (device memory, ncclMemFree, memory), argument 0, size 1; returns a status; resource Acquire p := NcclMemory of 64 bytes
  { void *p{}; ncclMemFree(p); } // FACTS: call ncclMemFree: Free NcclMemory, argument 0; returns a status; resource Release p
}

//===-- nvJPEG, NPP -------------------------------------------------------===//

void nvjpeg_lines(nvjpegHandle_t h) {
  { nvjpegHandle_t p; nvjpegCreateSimple(&p); } // FACTS: call nvjpegCreateSimple: Out Nvjpeg (an nvJPEG handle, nvjpegDestroy), argument 0; returns a status; resource Acquire p := Nvjpeg
  { nvjpegHandle_t p; nvjpegCreate(NVJPEG_BACKEND_DEFAULT, nullptr, &p); } // FACTS: call nvjpegCreate: Out Nvjpeg (an nvJPEG handle, nvjpegDestroy), argument 2; returns a status; resource Acquire p := Nvjpeg
  { nvjpegHandle_t p; nvjpegCreateEx(NVJPEG_BACKEND_DEFAULT, nullptr, nullptr, 0, &p); } // FACTS: call nvjpegCreateEx: Out Nvjpeg (an nvJPEG handle, nvjpegDestroy), argument 4; returns a status; resource Acquire p := Nvjpeg
  { nvjpegHandle_t p{}; nvjpegDestroy(p); } // FACTS: call nvjpegDestroy: Free Nvjpeg, argument 0; returns a status; resource Release p
  { nvjpegJpegState_t p; nvjpegJpegStateCreate(h, &p); } // FACTS: call nvjpegJpegStateCreate: Out NvjpegObject (an nvJPEG object, the nvjpeg...Destroy of its type), argument 1; returns a status; resource Acquire p := NvjpegObject
  { nvjpegJpegState_t p; nvjpegDecoderStateCreate(h, nullptr, &p); } // FACTS: call nvjpegDecoderStateCreate: Out NvjpegObject (an nvJPEG object, the nvjpeg...Destroy of its type), argument 2; returns a status; resource Acquire p := NvjpegObject
  { nvjpegEncoderState_t p; nvjpegEncoderStateCreate(h, &p, nullptr); } // FACTS: call nvjpegEncoderStateCreate: Out NvjpegObject (an nvJPEG object, the nvjpeg...Destroy of its type), argument 1; returns a status; resource Acquire p := NvjpegObject
  { nvjpegEncoderParams_t p; nvjpegEncoderParamsCreate(h, &p, nullptr); } // FACTS: call nvjpegEncoderParamsCreate: Out NvjpegObject (an nvJPEG object, the nvjpeg...Destroy of its type), argument 1; returns a status; resource Acquire p := NvjpegObject
  { nvjpegJpegStream_t p; nvjpegJpegStreamCreate(h, &p); } // FACTS: call nvjpegJpegStreamCreate: Out NvjpegObject (an nvJPEG object, the nvjpeg...Destroy of its type), argument 1; returns a status; resource Acquire p := NvjpegObject
  { nvjpegDecodeParams_t p; nvjpegDecodeParamsCreate(h, &p); } // FACTS: call nvjpegDecodeParamsCreate: Out NvjpegObject (an nvJPEG object, the nvjpeg...Destroy of its type), argument 1; returns a status; resource Acquire p := NvjpegObject
  { nvjpegJpegDecoder_t p; nvjpegDecoderCreate(h, NVJPEG_BACKEND_DEFAULT, &p); } // FACTS: call nvjpegDecoderCreate: Out NvjpegObject (an nvJPEG object, the nvjpeg...Destroy of its type), argument 2; returns a status; resource Acquire p := NvjpegObject
  { nvjpegBufferDevice_t p; nvjpegBufferDeviceCreate(h, nullptr, &p); } // FACTS: call nvjpegBufferDeviceCreate: Out NvjpegObject (an nvJPEG object, the nvjpeg...Destroy of its type), argument 2; returns a status; resource Acquire p := NvjpegObject
  { nvjpegBufferPinned_t p; nvjpegBufferPinnedCreate(h, nullptr, &p); } // FACTS: call nvjpegBufferPinnedCreate: Out NvjpegObject (an nvJPEG object, the nvjpeg...Destroy of its type), argument 2; returns a status; resource Acquire p := NvjpegObject
  { nvjpegJpegState_t p{}; nvjpegJpegStateDestroy(p); } // FACTS: call nvjpegJpegStateDestroy: Free NvjpegObject, argument 0; returns a status; resource Release p
  { nvjpegJpegDecoder_t p{}; nvjpegDecoderDestroy(p); } // FACTS: call nvjpegDecoderDestroy: Free NvjpegObject, argument 0; returns a status; resource Release p
  { nvjpegEncoderState_t p{}; nvjpegEncoderStateDestroy(p); } // FACTS: call nvjpegEncoderStateDestroy: Free NvjpegObject, argument 0; returns a status; resource Release p
  { nvjpegEncoderParams_t p{}; nvjpegEncoderParamsDestroy(p); } // FACTS: call nvjpegEncoderParamsDestroy: Free NvjpegObject, argument 0; returns a status; resource Release p
  { nvjpegJpegStream_t p{}; nvjpegJpegStreamDestroy(p); } // FACTS: call nvjpegJpegStreamDestroy: Free NvjpegObject, argument 0; returns a status; resource Release p
  { nvjpegDecodeParams_t p{}; nvjpegDecodeParamsDestroy(p); } // FACTS: call nvjpegDecodeParamsDestroy: Free NvjpegObject, argument 0; returns a status; resource Release p
  { nvjpegBufferDevice_t p{}; nvjpegBufferDeviceDestroy(p); } // FACTS: call nvjpegBufferDeviceDestroy: Free NvjpegObject, argument 0; returns a status; resource Release p
  { nvjpegBufferPinned_t p{}; nvjpegBufferPinnedDestroy(p); } // FACTS: call nvjpegBufferPinnedDestroy: Free NvjpegObject, argument 0; returns a status; resource Release p
}

void npp_lines(int step) {
  { auto *p = nppiMalloc_8u_C1(1, 1, &step); } // FACTS: call nppiMalloc_8u_C1: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_8u_C2(1, 1, &step); } // FACTS: call nppiMalloc_8u_C2: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_8u_C3(1, 1, &step); } // FACTS: call nppiMalloc_8u_C3: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_8u_C4(1, 1, &step); } // FACTS: call nppiMalloc_8u_C4: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_16u_C1(1, 1, &step); } // FACTS: call nppiMalloc_16u_C1: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_16u_C2(1, 1, &step); } // FACTS: call nppiMalloc_16u_C2: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_16u_C3(1, 1, &step); } // FACTS: call nppiMalloc_16u_C3: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_16u_C4(1, 1, &step); } // FACTS: call nppiMalloc_16u_C4: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_16s_C1(1, 1, &step); } // FACTS: call nppiMalloc_16s_C1: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_16s_C2(1, 1, &step); } // FACTS: call nppiMalloc_16s_C2: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_16s_C4(1, 1, &step); } // FACTS: call nppiMalloc_16s_C4: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_32s_C1(1, 1, &step); } // FACTS: call nppiMalloc_32s_C1: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_32s_C3(1, 1, &step); } // FACTS: call nppiMalloc_32s_C3: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_32s_C4(1, 1, &step); } // FACTS: call nppiMalloc_32s_C4: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_32f_C1(1, 1, &step); } // FACTS: call nppiMalloc_32f_C1: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_32f_C2(1, 1, &step); } // FACTS: call nppiMalloc_32f_C2: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_32f_C3(1, 1, &step); } // FACTS: call nppiMalloc_32f_C3: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { auto *p = nppiMalloc_32f_C4(1, 1, &step); } // FACTS: call nppiMalloc_32f_C4: Result Npp (device memory, nppiFree, memory); resource Acquire := Npp; resource Assign p := Npp
  { Npp8u *p{}; nppiFree(p); } // FACTS: call nppiFree: Free Npp, argument 0; resource Release p
  { auto *p = nppsMalloc_8u(1); } // FACTS: call nppsMalloc_8u: Result Npps (device memory, nppsFree, memory); resource Acquire := Npps; resource Assign p := Npps
  { auto *p = nppsMalloc_8s(1); } // FACTS: call nppsMalloc_8s: Result Npps (device memory, nppsFree, memory); resource Acquire := Npps; resource Assign p := Npps
  { auto *p = nppsMalloc_16u(1); } // FACTS: call nppsMalloc_16u: Result Npps (device memory, nppsFree, memory); resource Acquire := Npps; resource Assign p := Npps
  { auto *p = nppsMalloc_16s(1); } // FACTS: call nppsMalloc_16s: Result Npps (device memory, nppsFree, memory); resource Acquire := Npps; resource Assign p := Npps
  { auto *p = nppsMalloc_32u(1); } // FACTS: call nppsMalloc_32u: Result Npps (device memory, nppsFree, memory); resource Acquire := Npps; resource Assign p := Npps
  { auto *p = nppsMalloc_32s(1); } // FACTS: call nppsMalloc_32s: Result Npps (device memory, nppsFree, memory); resource Acquire := Npps; resource Assign p := Npps
  { auto *p = nppsMalloc_32f(1); } // FACTS: call nppsMalloc_32f: Result Npps (device memory, nppsFree, memory); resource Acquire := Npps; resource Assign p := Npps
  { auto *p = nppsMalloc_64s(1); } // FACTS: call nppsMalloc_64s: Result Npps (device memory, nppsFree, memory); resource Acquire := Npps; resource Assign p := Npps
  { auto *p = nppsMalloc_64f(1); } // FACTS: call nppsMalloc_64f: Result Npps (device memory, nppsFree, memory); resource Acquire := Npps; resource Assign p := Npps
  { auto *p = nppsMalloc_32fc(1); } // FACTS: call nppsMalloc_32fc: Result Npps (device memory, nppsFree, memory); resource Acquire := Npps; resource Assign p := Npps
  { auto *p = nppsMalloc_64fc(1); } // FACTS: call nppsMalloc_64fc: Result Npps (device memory, nppsFree, memory); resource Acquire := Npps; resource Assign p := Npps
  { Npp8u *p{}; nppsFree(p); } // FACTS: call nppsFree: Free Npps, argument 0; resource Release p
}

//===-- What calls return ---------------------------------------------------===//

enum nvmlReturn_enum { NVML_SUCCESS };
typedef enum { CUTENSOR_STATUS_SUCCESS } cutensorStatus_t;
typedef enum { CUPTI_SUCCESS } CUptiResult;
typedef enum { NVJITLINK_SUCCESS } nvJitLinkResult;
typedef enum { IN_ORDER } OtherResult;
NppStatus npp();
nvmlReturn_enum nvml();
cutensorStatus_t cutensor();
CUptiResult cupti();
nvJitLinkResult link();
OtherResult other();

void statuses() {
  npp(); // FACTS: call npp: returns a status
  nvml(); // FACTS: call nvml: returns a status
  cutensor(); // FACTS: call cutensor: returns a status
  cupti(); // FACTS: call cupti: returns a status
  link(); // FACTS: call link: returns a status
  other(); // FACTS: call other: not in the model
}
