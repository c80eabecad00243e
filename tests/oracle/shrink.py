def smallest(sketch, differences, compare, random):
    return sketch, differences
