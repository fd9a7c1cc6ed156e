// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// One place gives back what an object holds and deletes it, another one deletes it alone.
#include <cuda_runtime.h>
#include <vector>

struct Surface {
  float *luma;
  int width;
};

class SurfacePool {
public:
  ~SurfacePool() { drain(); }
  Surface *obtain() {
    if (!idle_.empty()) {
      Surface *surface = idle_.back();
      idle_.pop_back();
      return surface;
    }
    Surface *surface = new Surface{nullptr, width_};
    cudaMalloc(&surface->luma, 1024); // expected-path {{'luma' gets it here}}
    return surface;
  }
  void recycle(Surface *surface) {
    if (surface->width == width_)
      idle_.push_back(surface);
    else
      delete surface; // expected-warning {{1 KiB of device memory in 'luma' goes with the object that is deleted here; call 'cudaFree' first}} [tensor-unfreed-device-memory]
  }
  void drain() {
    for (Surface *surface : idle_) {
      cudaFree(surface->luma); // expected-path {{another object's is given back here}}
      delete surface;
    }
    idle_.clear();
  }

private:
  int width_ = 0;
  std::vector<Surface *> idle_;
};

struct Job {
  int number;
  float *result;
};

class Matcher {
public:
  void submit(int number) {
    Job *job = new Job{number, nullptr};
    cudaMallocHost((void **)&job->result, 64); // expected-path {{'result' gets it here}}
    done_.push_back(job);
  }
  void collect(int first) {
    std::vector<Job *> ready;
    ready.swap(done_);
    for (Job *job : ready) {
      if (job->number < first) {
        delete job; // expected-warning {{64 B of pinned host memory in 'result' goes with the object}} [tensor-unfreed-device-memory]
        continue;
      }
      sum_ += job->result[0];
      cudaFreeHost(job->result); // expected-path {{another object's is given back here}}
      delete job;
    }
  }

private:
  float sum_ = 0;
  std::vector<Job *> done_;
};

//===-- Near misses -------------------------------------------------------===//

// Each way gives it back.
struct Frame {
  float *data;
  bool isLate;
};
void drop(Frame *frame) {
  cudaFree(frame->data);
  delete frame;
}
class Frames {
public:
  void add(bool isLate) {
    Frame *frame = new Frame{nullptr, isLate};
    cudaMalloc(&frame->data, 64);
    all_.push_back(frame);
  }
  void clear() {
    for (Frame *frame : all_) {
      if (frame->isLate) {
        drop(frame);
        continue;
      }
      cudaFree(frame->data);
      delete frame;
    }
    all_.clear();
  }

private:
  std::vector<Frame *> all_;
};

// Who has none is known by its member.
struct Layer {
  float *weights;
};
Layer *make_layer(int n) {
  Layer *layer = new Layer{nullptr};
  cudaMalloc(&layer->weights, n);
  return layer;
}
void remove_layer(Layer *layer) {
  if (layer->weights) {
    cudaFree(layer->weights);
    delete layer;
    return;
  }
  delete layer;
}

// It was given back long before the object goes.
struct Tile {
  float *pixels;
};
class Tiles {
public:
  void add() {
    Tile *tile = new Tile{nullptr};
    cudaMalloc(&tile->pixels, 64);
    all_.push_back(tile);
  }
  void evict() {
    for (Tile *tile : all_)
      cudaFree(tile->pixels);
  }
  void remove(Tile *tile) { delete tile; }
  void close() {
    for (Tile *tile : all_) {
      cudaFree(tile->pixels);
      delete tile;
    }
  }

private:
  std::vector<Tile *> all_;
};

// Another one has it now.
struct Buffer {
  float *data;
};
Buffer *make_buffer() {
  Buffer *buffer = new Buffer{nullptr};
  cudaMalloc(&buffer->data, 64);
  return buffer;
}
float *taken_out(Buffer *buffer) {
  float *data = buffer->data;
  delete buffer;
  return data;
}
void free_buffer(Buffer *buffer) {
  cudaFree(buffer->data);
  delete buffer;
}

// What is made here has none yet.
struct Plane {
  float *data;
};
Plane *make_plane(int n) {
  Plane *plane = new Plane{nullptr};
  if (cudaMalloc(&plane->data, n) != cudaSuccess) {
    delete plane;
    return nullptr;
  }
  return plane;
}
void free_plane(Plane *plane) {
  cudaFree(plane->data);
  delete plane;
}

// The destructor does it.
struct Volume {
  ~Volume() { cudaFree(data); }
  float *data = nullptr;
};
Volume *make_volume() {
  Volume *volume = new Volume;
  cudaMalloc(&volume->data, 64);
  return volume;
}
void free_volume(Volume *volume) { delete volume; }

//===-- Deleted by smart pointers -----------------------------------------------------===//

#include <memory>
#include <utility>
#include <vector>

struct Filter {
  cudaStream_t stream;
  int taps;
};
int makeFilter(Filter **out, int taps) {
  Filter *filter = new Filter();
  if (cudaStreamCreate(&filter->stream) != cudaSuccess) { // expected-path {{'stream' gets it here}} expected-path {{'stream' gets it here}}
    delete filter;
    return -1;
  }
  filter->taps = taps;
  *out = filter;
  return 0;
}
void destroyFilter(Filter *filter) {
  if (!filter)
    return;
  cudaStreamDestroy(filter->stream); // expected-path {{another object's is given back here}} expected-path {{another object's is given back here}}
  delete filter;
}

class Stages {
public:
  bool add(int taps) {
    Filter *raw = nullptr;
    if (makeFilter(&raw, taps) != 0)
      return false;
    std::unique_ptr<Filter> filter(raw); // expected-warning {{a stream in 'stream' goes with the object that this pointer deletes; give the pointer a deleter that calls 'cudaStreamDestroy'}} [tensor-unfreed-device-memory]
    stages_.push_back(std::move(filter));
    return true;
  }

private:
  std::vector<std::unique_ptr<Filter>> stages_;
};

void shared(int taps) {
  Filter *raw = nullptr;
  if (makeFilter(&raw, taps) != 0)
    return;
  std::shared_ptr<Filter> filter(raw); // expected-warning {{a stream in 'stream' goes with the object that this pointer deletes}} [tensor-unfreed-device-memory]
}

// Near misses: with a deleter that gives back the stream.
struct DestroyFilter {
  void operator()(Filter *filter) const { destroyFilter(filter); }
};
void byDeleter(int taps) {
  Filter *raw = nullptr;
  if (makeFilter(&raw, taps) != 0)
    return;
  std::unique_ptr<Filter, DestroyFilter> filter(raw);
}
std::shared_ptr<Filter> byFunction(int taps) {
  Filter *raw = nullptr;
  makeFilter(&raw, taps);
  return std::shared_ptr<Filter>(raw, destroyFilter);
}
// It deletes nothing once it has let go.
Filter *byHand(int taps, bool isWanted) {
  Filter *raw = nullptr;
  makeFilter(&raw, taps);
  std::unique_ptr<Filter> filter(raw);
  if (isWanted)
    return filter.release();
  destroyFilter(filter.release());
  return nullptr;
}

// Nodes that link each other: neither the links nor a question about the event give it back.
struct Pending {
  Pending *prev, *next;
  cudaEvent_t done;
  void unlink() {
    prev->next = next;
    next->prev = prev;
    prev = next = this;
  }
};
class Queue {
public:
  void submit(cudaStream_t stream) {
    Pending *one = new Pending;
    cudaEventCreate(&one->done); // expected-path {{'done' gets it here}}
    cudaEventRecord(one->done, stream);
    one->prev = last_.prev;
    one->next = &last_;
    last_.prev->next = one;
    last_.prev = one;
  }
  int reap() {
    int count = 0;
    for (Pending *one = last_.next; one != &last_;) {
      Pending *following = one->next;
      if (cudaEventQuery(one->done) == cudaSuccess) {
        one->unlink();
        delete one; // expected-warning {{an event in 'done' goes with the object that is deleted here}} [tensor-unfreed-device-memory]
        ++count;
      }
      one = following;
    }
    return count;
  }
  void flush() {
    while (last_.next != &last_) {
      Pending *one = last_.next;
      one->unlink();
      cudaEventDestroy(one->done); // expected-path {{another object's is given back here}}
      delete one;
    }
  }

private:
  Pending last_;
};

// Who calls what makes an object has it too, and copies it; the pool deletes it.
struct Chunk {
  float *data;
};
struct Block {
  Chunk *text, *matches;
};
class Chunks {
public:
  ~Chunks() {
    for (Chunk *chunk : idle_) {
      cudaFree(chunk->data); // expected-path {{another object's is given back here}}
      delete chunk;
    }
  }
  Chunk *acquire() {
    Chunk *chunk = new Chunk;
    cudaMalloc(&chunk->data, 4096); // expected-path {{'data' gets it here}}
    return chunk;
  }
  void release(Chunk *chunk) {
    if (idle_.size() < 4) {
      idle_.push_back(chunk);
      return;
    }
    delete chunk; // expected-warning {{4 KiB of device memory in 'data' goes with the object that is deleted here}} [tensor-unfreed-device-memory]
  }

private:
  std::vector<Chunk *> idle_;
};
void blocks(Chunks &chunks, int n) {
  std::vector<Block> batch;
  for (int i = 0; i < n; ++i) {
    Block block{chunks.acquire(), chunks.acquire()};
    batch.push_back(block);
  }
  for (Block &block : batch) {
    chunks.release(block.text);
    chunks.release(block.matches);
  }
}

// A link that gives back what the node has, on its way out.
struct Closing {
  Closing *next;
  cudaEvent_t done;
  void unlink() {
    next->next = nullptr;
    cudaEventDestroy(done);
  }
};
class ClosingQueue {
public:
  void submit() {
    Closing *one = new Closing;
    cudaEventCreate(&one->done);
    one->next = first_;
    first_ = one;
  }
  void reap() {
    Closing *one = first_;
    first_ = one->next;
    one->unlink();
    delete one;
  }
  void drop() {
    Closing *one = first_;
    first_ = one->next;
    cudaEventDestroy(one->done);
    delete one;
  }

private:
  Closing *first_ = nullptr;
};
