# Finds LibTorch in TORCH_ROOT, with CUDA where it has it; sets TORCH_LIBRARIES.
add_library(torch_folder INTERFACE)
target_include_directories(torch_folder SYSTEM INTERFACE
  ${TORCH_ROOT}/include ${TORCH_ROOT}/include/torch/csrc/api/include)
foreach(library torch torch_cpu c10 torch_cuda c10_cuda)
  find_library(${library}_path ${library} PATHS ${TORCH_ROOT}/lib NO_DEFAULT_PATH)
  if(${library}_path)
    # torch_cuda registers its kernels when it is loaded: nothing else refers to it.
    target_link_libraries(torch_folder INTERFACE -Wl,--no-as-needed ${${library}_path})
  endif()
endforeach()
if(NOT torch_path)
  message(FATAL_ERROR "There is no LibTorch in TORCH_ROOT=${TORCH_ROOT}: ${TORCH_ROOT}/lib has "
    "no libtorch.")
endif()

# Packages for Python were built with the old string ABI until 2.6.
execute_process(COMMAND nm -DC ${c10_path} OUTPUT_VARIABLE symbols)
if(NOT symbols MATCHES "c10::Error::Error.*std::__cxx11::basic_string")
  target_compile_definitions(torch_folder INTERFACE _GLIBCXX_USE_CXX11_ABI=0)
endif()
set(TORCH_LIBRARIES torch_folder)
