#include "synth/machine/wavefronts.h"

#include <algorithm>
#include <map>

namespace swizzle {
namespace {

struct Word {
  std::int64_t address = 0;
  int lane = 0;
};

bool lanes_agree(const LaneAddresses& addresses, std::size_t distance) {
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    const std::size_t other = lane ^ distance;
    if (other < addresses.size() && addresses[lane] && addresses[other] && addresses[lane] != addresses[other])
      return false;
  }
  return true;
}

bool phases_merge(const SharedMemoryModel& memory, SharedOperation operation, int bits,
                  const LaneAddresses& addresses) {
  if (!memory.merges_wide_loads || operation != SharedOperation::kLoad || bits <= 8 * memory.bank_bytes) return false;
  return lanes_agree(addresses, 1) || lanes_agree(addresses, 2);
}

// The words of each bank in one phase, each once, ascending.
std::map<int, std::vector<Word>> words_by_bank(const SharedMemoryModel& memory, int bits,
                                               const LaneAddresses& addresses, const std::vector<int>& phase) {
  std::map<int, std::vector<Word>> banks;
  for (const int lane : phase) {
    const std::int64_t first = *addresses[static_cast<std::size_t>(lane)] / memory.bank_bytes;
    const std::int64_t last = (*addresses[static_cast<std::size_t>(lane)] + bits / 8 - 1) / memory.bank_bytes;
    for (std::int64_t word = first; word <= last; ++word)
      banks[static_cast<int>(word % memory.banks)].push_back({word * memory.bank_bytes, lane});
  }
  for (auto& [bank, words] : banks) {
    std::stable_sort(words.begin(), words.end(), [](const Word& a, const Word& b) { return a.address < b.address; });
    words.erase(
        std::unique(words.begin(), words.end(), [](const Word& a, const Word& b) { return a.address == b.address; }),
        words.end());
  }
  return banks;
}

BankConflict conflict(int bank, const std::vector<Word>& words) {
  BankConflict result;
  result.bank = bank;
  for (const Word& word : words) {
    result.lanes.push_back(word.lane);
    result.word_addresses.push_back(word.address);
  }
  return result;
}

}  // namespace

std::optional<SharedMemoryModel> shared_memory_of(const std::string& name) {
  if (name == "h200") return SharedMemoryModel{};
  for (const SharedMemoryModel& row : {SharedMemoryModel{}, SharedMemoryModel::toy8()})
    if (row.name == name) return row;
  return std::nullopt;
}

const char* name_of(SharedOperation operation) {
  static constexpr const char* kNames[] = {"load", "store", "ldmatrix", "stmatrix"};
  return kNames[static_cast<int>(operation)];
}

std::vector<std::vector<int>> phases_of(const SharedMemoryModel& memory, SharedOperation operation, int bits,
                                        const LaneAddresses& addresses) {
  std::size_t lanes_per_phase = static_cast<std::size_t>(std::clamp(memory.phase_bytes * 8 / bits, 1, memory.lanes));
  if (phases_merge(memory, operation, bits, addresses)) lanes_per_phase *= 2;
  std::vector<std::vector<int>> phases;
  for (std::size_t first = 0; first < addresses.size(); first += lanes_per_phase) {
    std::vector<int> phase;
    for (std::size_t lane = first; lane < std::min(addresses.size(), first + lanes_per_phase); ++lane)
      if (addresses[lane]) phase.push_back(static_cast<int>(lane));
    if (!phase.empty()) phases.push_back(std::move(phase));
  }
  return phases;
}

Wavefronts count_wavefronts(const SharedMemoryModel& memory, SharedOperation operation, int bits,
                            const LaneAddresses& addresses) {
  Wavefronts result;
  int worst_excess = 0;
  for (const std::vector<int>& phase : phases_of(memory, operation, bits, addresses)) {
    const auto banks = words_by_bank(memory, bits, addresses, phase);
    const auto busiest = std::max_element(
        banks.begin(), banks.end(), [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    int words = 0;
    for (const auto& [bank, in_bank] : banks) words += static_cast<int>(in_bank.size());
    const int count = static_cast<int>(busiest->second.size());
    const int ideal = (words + memory.banks - 1) / memory.banks;
    result.count += count;
    result.ideal += ideal;
    if (count - ideal <= worst_excess) continue;
    worst_excess = count - ideal;
    result.witness = conflict(busiest->first, busiest->second);
  }
  return result;
}

}  // namespace swizzle
