// The launches in host code, in the user's file and its headers: private to frontend/.
#pragma once

#include <map>
#include <vector>

#include <clang/AST/Decl.h>

#include "frontend/launch_in_file.h"
#include "frontend/lost_text.h"
#include "frontend/user_files.h"

namespace swizzle {

// By kernel (canonical declarations): in the order of the file, each shape and arguments once. Those in a template that
// nothing instantiates are by the pattern of the kernel. A launch whose block is unknown is among them unless another
// reading of the same `<<<…>>>` knows it.
using LaunchesInFile = std::map<const clang::Decl*, std::vector<LaunchInFile>>;
LaunchesInFile launches_in(clang::ASTContext& context, const UserFiles& files, const LostText& lost);

}  // namespace swizzle
