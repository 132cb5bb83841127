//===- DesignCacheTest.cpp - results of searches, kept on disk ------------===//

#include "tools/search/DesignCache.h"
#include "tools/lib/cache/CacheKey.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace gpuopt;

namespace {

class DesignCacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("cache", directory));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  std::unique_ptr<DesignCache> open() { return DesignCache::open(directory); }

  llvm::SmallString<128> directory;
};

/// A value of a few pages that tells by which round it was written.
std::string valueOf(int round) {
  return std::string(10000, static_cast<char>('a' + round % 26)) +
         std::to_string(round);
}

TEST_F(DesignCacheTest, KeepsValues) {
  {
    std::unique_ptr<DesignCache> cache = open();
    ASSERT_TRUE(cache);
    EXPECT_EQ(cache->lookUp("k"), std::nullopt);
    cache->store("k", "first");
    cache->store("k", "second");
    cache->store("other", std::string("a\0b", 3));
  }
  std::unique_ptr<DesignCache> cache = open();
  EXPECT_EQ(cache->lookUp("k"), "second");
  EXPECT_EQ(cache->lookUp("other"), std::string("a\0b", 3));
}

TEST_F(DesignCacheTest, KeysTellPartsApart) {
  EXPECT_NE(makeCacheKey({"ab", "c"}), makeCacheKey({"a", "bc"}));
  EXPECT_NE(makeCacheKey({"ab"}), makeCacheKey({"ab", ""}));
  EXPECT_EQ(makeCacheKey({"a", "b"}), makeCacheKey({"a", "b"}));
  // The compiler's build: version and build ids.
  EXPECT_GT(compilerIdentity().size(), 60u);
}

// Two processes that write all the time, one of which is killed again and
// again in the middle: no value is torn, none that was stored is lost.
TEST_F(DesignCacheTest, SurvivesKills) {
  open()->store("before", valueOf(0));
  for (int round = 0; round < 20; ++round) {
    pid_t victim = fork();
    if (victim == 0) {
      std::unique_ptr<DesignCache> cache = open();
      for (int i = 0;; ++i)
        cache->store("victim" + std::to_string(i % 7), valueOf(i));
    }
    std::unique_ptr<DesignCache> cache = open();
    ASSERT_TRUE(cache);
    for (int i = 0; i < 5 + round; ++i)
      cache->store("ours" + std::to_string(i), valueOf(i));
    kill(victim, SIGKILL);
    waitpid(victim, nullptr, 0);
  }
  EXPECT_FALSE(
      llvm::sys::fs::exists(directory + "/designs-v1.sqlite3.damaged-1"));
  std::unique_ptr<DesignCache> cache = open();
  EXPECT_EQ(cache->lookUp("before"), valueOf(0));
  for (int i = 0; i < 24; ++i)
    EXPECT_EQ(cache->lookUp("ours" + std::to_string(i)), valueOf(i));
  for (int i = 0; i < 7; ++i)
    if (auto value = cache->lookUp("victim" + std::to_string(i))) {
      std::string number = value->substr(10000);
      EXPECT_EQ(*value, valueOf(std::stoi(number)));
    }
}

} // namespace
