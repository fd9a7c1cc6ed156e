// A server on a local socket: each request is a number, each answer is what a small net makes
// of it. `leak` keeps every answer, `clean` the last sixteen; `threads` serves each client on a
// thread of its own, `busy` computes and waits for nothing; `linger` takes three seconds to end;
// in `masked` all threads block all signals.
#include <torch/torch.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <deque>
#include <iostream>
#include <mutex>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

static std::deque<torch::Tensor> History;
static std::mutex HistoryMutex;
static size_t MostKept = 16;
static std::atomic<int> Served{0};

static torch::nn::Linear &net() {
  static torch::nn::Linear Net(16, 1024);
  return Net;
}

static double answer(double Request) {
  torch::NoGradGuard Guard;
  torch::Tensor Scores = net()->forward(torch::full({1, 16}, Request)); // producer: kept
  std::lock_guard<std::mutex> Lock(HistoryMutex);
  History.push_back(Scores); // finding: kept retention plain
  while (History.size() > MostKept)
    History.pop_front();
  return Scores.sizes()[1] + Request;
}

static struct Ending {
  bool Lingers = false;
  ~Ending() {
    if (Lingers)
      std::this_thread::sleep_for(std::chrono::seconds(3));
  }
} End;

static void serve(int Client) {
  char Line[64];
  for (ssize_t Got; (Got = read(Client, Line, sizeof Line - 1)) > 0; ++Served) {
    Line[Got] = 0;
    std::string Out = std::to_string(answer(std::stod(Line))) + "\n";
    if (write(Client, Out.data(), Out.size()) < 0)
      break;
  }
  close(Client);
}

static int listenAt(const char *Path) {
  sockaddr_un Address{};
  Address.sun_family = AF_UNIX;
  std::strncpy(Address.sun_path, Path, sizeof Address.sun_path - 1);
  int Socket = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(Socket, reinterpret_cast<sockaddr *>(&Address), sizeof Address) || listen(Socket, 8))
    std::abort();
  return Socket;
}

static void compute() {
  std::cout << "computing" << std::endl;
  for (int I = 0; I < 200000 && access("stop", F_OK); ++I)
    answer(I); // finding: computed retention plain
}

// server MODE SOCKET CLIENTS
int main(int argc, char **argv) {
  std::string Mode = argv[1];
  if (Mode.find("leak") != std::string::npos)
    MostKept = ~size_t(0);
  if (Mode.find("masked") != std::string::npos) {
    sigset_t All;
    sigfillset(&All);
    pthread_sigmask(SIG_BLOCK, &All, nullptr);
  }
  torch::set_num_threads(1);
  End.Lingers = Mode.find("linger") != std::string::npos;
  if (Mode.find("busy") != std::string::npos)
    compute();
  std::vector<std::thread> Threads;
  int Clients = argc > 3 ? std::stoi(argv[3]) : 0, Socket = Clients ? listenAt(argv[2]) : -1;
  for (int I = 0; I < Clients; ++I) {
    int Client = accept(Socket, nullptr, nullptr);
    if (Mode.find("threads") != std::string::npos)
      Threads.emplace_back(serve, Client);
    else
      serve(Client);
  }
  for (std::thread &T : Threads)
    T.join();
  std::cout << "served " << Served << std::endl;
  return 7;
}
