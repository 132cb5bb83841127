//===- Records.h - results, one JSON object a line --------------*- C++ -*-===//
//
// Every record is written at once, so that a run which ends early can go on:
// what is in the file is not run again, and what was begun and not finished
// ended the run and is reported as failed.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_RUNNER_RECORDS_H
#define BENCH_RUNNER_RECORDS_H

#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>

namespace bench {

inline std::string quote(const std::string &text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    quoted += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return quoted + '"';
}

/// One JSON object under construction.
class Record {
public:
  Record &add(const std::string &key, const std::string &value) {
    return raw(key, quote(value));
  }
  Record &add(const std::string &key, const char *value) {
    return raw(key, quote(value));
  }
  template <typename Number>
  Record &add(const std::string &key, Number value) {
    std::ostringstream number;
    number.precision(9);
    number << value;
    return raw(key, number.str());
  }
  std::string text() const { return "{" + body + "}"; }

private:
  Record &raw(const std::string &key, const std::string &value) {
    body += (body.empty() ? "" : ", ") + quote(key) + ": " + value;
    return *this;
  }
  std::string body;
};

class Records {
public:
  explicit Records(const std::string &path) {
    std::ifstream before(path);
    std::set<std::string> begun;
    for (std::string line; std::getline(before, line);) {
      std::string start = line.substr(0, line.find(", \"status\": "));
      (line.find("\"status\": \"begun\"") != std::string::npos ? begun : done)
          .insert(start);
    }
    before.close();
    file.open(path, std::ios::app);
    if (!file)
      throw std::runtime_error("cannot write " + path);
    for (const std::string &start : begun)
      if (done.insert(start).second)
        line(start + ", \"status\": \"failed\", \"reason\": \"the runner ended "
                     "while this ran\"}");
  }

  static Record about(const std::string &entry, const std::string &variant) {
    return Record().add("case", entry).add("variant", variant);
  }
  bool isDone(const std::string &entry, const std::string &variant) const {
    std::string start = about(entry, variant).text();
    start.pop_back();
    return done.count(start);
  }
  void write(const Record &record) { line(record.text()); }

private:
  void line(const std::string &text) { file << text << std::endl; }

  std::ofstream file;
  std::set<std::string> done;
};

} // namespace bench

#endif // BENCH_RUNNER_RECORDS_H
