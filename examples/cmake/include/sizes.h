#pragma once

constexpr int kLast = LANES - 1;
