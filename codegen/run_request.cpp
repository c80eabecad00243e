#include "codegen/run_request.h"

namespace swizzle {

RunRequest run_request(const Program& kernel, const std::vector<Posed>& posed) {
  const Function& entry = kernel.function(kernel.entry);
  RunRequest request;
  request.kernel_name = entry.qualified_name;
  std::vector<int> slots;  // of an item, by parameter; 0: a scalar
  for (const VariableId id : entry.parameters) {
    const Variable& variable = kernel.variable(id);
    const Type& type = kernel.type(variable.type);
    if (type.form == Type::Form::kPointer) {
      const Type& item = kernel.type(type.element);
      request.parameters.push_back(
          BufferSpec{variable.name, item.scalar, item.slots, item.spelling, type.pointee_is_const});
      slots.push_back(item.slots);
    } else {
      request.parameters.push_back(ScalarParameter{variable.name, type.spelling});
      slots.push_back(0);
    }
  }
  for (const Posed& at : posed) {
    RunSize size{at.sizes, at.shape, {}, at.spec_shape, at.dynamic_shared_bytes};
    for (std::size_t i = 0; i < slots.size(); ++i)
      if (slots[i] > 0) size.extents.push_back((at.extents[i] + slots[i] - 1) / slots[i]);
    request.sizes.push_back(std::move(size));
  }
  return request;
}

}  // namespace swizzle
