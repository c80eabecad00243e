// A module of PTX beside the sources that its .loc lines tell of.
//
//   PtxSources sources = beside_sources(*ptx::read_module(text), text);
//   sources.source.path_of(sources.places[7].range.begin)             "k.cu"
//   kernel_in_source(sources, sources.module.functions[0]).parameters  {"y", "x", "n"}
//
// A file that cannot be read is there without its text: lines and columns are told all the same.
#pragma once

#include <string>
#include <vector>

#include "synth/ptx/trace.h"

namespace swizzle {

struct PtxSources {
  SourceText source;  // `main`, and the other files as its headers
  ptx::Module module;
  std::vector<ptx::PlaceInSource> places;  // by Module::places
  std::vector<ptx::PlaceInSource> lines;   // of the PTX, if it is `main` and not every instruction has a place
};

// `main`: the PTX itself, or the CUDA file that it was compiled from.
PtxSources beside_sources(ptx::Module module, const SourceText& main);

struct KernelInSource {
  SourceRange name;                     // where it is defined
  std::vector<std::string> parameters;  // their names; none: they cannot be read off
};
KernelInSource kernel_in_source(const PtxSources& sources, const ptx::Function& kernel);

}  // namespace swizzle
