//===- Forked.cpp - in a process of its own -------------------------------===//

#include "test/fuzz/Forked.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gpuopt::fuzz;

/// A child process and the pipe that it writes outcomes to.
struct Child {
  pid_t process;
  int pipe;
};

static void send(int pipe, const Outcome &outcome) {
  std::string detail = outcome.detail.substr(0, 400);
  std::replace(detail.begin(), detail.end(), '\n', ' ');
  std::string text = std::to_string(outcome.kind) + " " + detail + "\n";
  if (write(pipe, text.data(), text.size()) < 0)
    _exit(1);
}

/// Ends this process when it has taken so many more seconds.
static void limitTime(unsigned seconds) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  rlimit limit{};
  getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1 + seconds;
  setrlimit(RLIMIT_CPU, &limit);
}

/// Starts a process that runs `pipelines` from number `first` on.
static Child start(const GeneratedKernel &kernel,
                   const std::vector<std::string> &pipelines, size_t first,
                   unsigned seconds) {
  int ends[2];
  if (pipe(ends) != 0)
    exit(2);
  pid_t process = fork();
  if (process != 0) {
    close(ends[1]);
    return {process, ends[0]};
  }
  close(ends[0]);
  limitTime(seconds);
  Case one(kernel);
  Outcome reference = one.runReference();
  if (first == 0 || reference.kind != Outcome::Equal)
    send(ends[1], reference);
  if (reference.kind == Outcome::Equal)
    for (size_t i = std::max<size_t>(first, 1); i <= pipelines.size(); ++i) {
      limitTime(seconds);
      send(ends[1], one.run(pipelines[i - 1]));
    }
  _exit(0);
}

/// Reads outcomes until the process ends or says nothing for very long: on a
/// busy machine it may have to wait for its seconds.
static bool receive(const Child &child, unsigned seconds,
                    std::vector<Outcome> &outcomes) {
  std::string line;
  while (true) {
    pollfd wait{child.pipe, POLLIN, 0};
    if (poll(&wait, 1, static_cast<int>(seconds) * 20000) <= 0)
      return false;
    char byte;
    if (read(child.pipe, &byte, 1) <= 0)
      return true;
    if (byte != '\n') {
      line += byte;
      continue;
    }
    size_t space = line.find(' ');
    outcomes.push_back(
        {static_cast<Outcome::Kind>(std::stoi(line.substr(0, space))),
         line.substr(space + 1)});
    line.clear();
  }
}

std::vector<Outcome>
gpuopt::fuzz::runForked(const GeneratedKernel &kernel,
                        const std::vector<std::string> &pipelines,
                        unsigned secondsEach) {
  std::vector<Outcome> outcomes;
  while (outcomes.size() <= pipelines.size()) {
    Child child = start(kernel, pipelines, outcomes.size(), secondsEach);
    bool ended = receive(child, secondsEach, outcomes);
    if (!ended)
      kill(child.process, SIGKILL);
    int status = 0;
    waitpid(child.process, &status, 0);
    close(child.pipe);
    if (!outcomes.empty() && outcomes.back().kind == Outcome::BadKernel)
      break;
    if (outcomes.size() > pipelines.size())
      break;
    if (!ended || WTERMSIG(status) == SIGXCPU)
      outcomes.push_back({Outcome::Hang, "no end in sight"});
    else
      outcomes.push_back(
          {Outcome::Crash,
           "ended by signal " + std::to_string(WTERMSIG(status))});
    // A kernel that cannot even be run as it is.
    if (outcomes.size() == 1) {
      outcomes.front().kind = Outcome::BadKernel;
      break;
    }
  }
  return outcomes;
}
