//===- PrecompiledHeaders.cpp - holds the precompiled headers -------------===//
