"""Arrays whose first axis is completions, of length 1 where no hole has had a say."""
import numpy as np


def spread(array, count):
    if len(array) == count:
        return array
    return np.broadcast_to(array, (count,) + array.shape[1:])


def take(values, undefined, at, lane):
    """Element `at` of each lane's own array, of another `lane`: [·, size, lanes, samples] -> [·, lanes, samples]."""
    count = max(len(values), len(at), len(lane))
    rows = np.arange(count)[:, None]
    values, undefined = spread(values, count), spread(undefined, count)
    at, lane = spread(at, count), spread(lane, count)
    return values[rows, at, lane], undefined[rows, at, lane]


def choose(mask, yes, no):
    return np.where(mask[..., None], yes[0], no[0]), np.where(mask, yes[1], no[1])
