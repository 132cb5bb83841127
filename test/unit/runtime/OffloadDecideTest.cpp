//===- OffloadDecideTest.cpp - times of host and device -------------------===//

#include "runtime/Offload/Calibrate.h"

#include <gtest/gtest.h>

using namespace gpuopt::offload;

TEST(OffloadDecide, LargeProductsPayAndSmallSumsDoNot) {
  Machine machine;
  constexpr double n = 4096;
  Section product{n * n, 2 * n * n * n, 2 * n * n * n, 16 * n * n, 8 * n * n};
  Times times = predict(machine, product);
  EXPECT_LT(times.device, times.host);
  Section sum{1000, 1000, 3000, 16000, 8000};
  times = predict(machine, sum);
  EXPECT_GT(times.device, times.host);
}

TEST(OffloadDecide, FewIterationsUseAPartOfTheDevice) {
  Machine machine;
  Section narrow{10, 1e9, 0, 0, 0}, wide{1e6, 1e9, 0, 0, 0};
  EXPECT_GT(predict(machine, narrow).device, predict(machine, wide).device);
}

TEST(OffloadDecide, ReadsAMachine) {
  Machine machine;
  EXPECT_EQ(readMachine("link_gbps=25 # PCIe 4\n\nspeed = 3\n", machine),
            "line 3: no figure is called 'speed'");
  EXPECT_EQ(machine.linkBandwidth, 25);
  EXPECT_EQ(readMachine("host_gops = -1", machine),
            "line 1: expected 'host_gops = ' and a positive number");
  EXPECT_EQ(readMachine("host_gops = 7\ndevice_threads = 64\n", machine), "");
  EXPECT_EQ(machine.hostOperations, 7);
  EXPECT_EQ(machine.deviceThreads, 64);
}

TEST(OffloadDecide, ReadsWhatItWrites) {
  Machine machine, read;
  machine.hostOperations = 12.5;
  machine.linkBandwidth = 25;
  EXPECT_EQ(readMachine(machineText(machine), read), "");
  EXPECT_EQ(read.hostOperations, 12.5);
  EXPECT_EQ(read.linkBandwidth, 25);
}

TEST(OffloadDecide, MeasuresTheHost) {
  Machine machine;
  machine.hostOperations = machine.hostBandwidth = 0;
  measureHost(machine);
  EXPECT_GT(machine.hostOperations, 0);
  EXPECT_GT(machine.hostBandwidth, 0);
}
