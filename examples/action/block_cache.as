// The cache of a secure block device: data blocks and management blocks share it, in the order of their last use.
//
// Blocks 0 to 3 are data blocks, 4 and 5 management blocks: 4 belongs to 0 and 1, 5 to 2 and 3. A data block can be loaded
// only while its management block is in the cache. A block can be evicted unless it is a management block that is needed:
// by a data block in the cache, or by the request. A block that cannot be evicted is bumped to the front.
// cache[0] is the block used least recently; 6 stands for an empty place.
depth 200;

type Step = { Idle, GetData, LoadData, LoadManagement, Bump, Return };
type Block = 0..6;
type Data = 0..3;
type Cache = array 0..2 of Block;
type Pending = { data, management };

var step: Step = Idle;
var request: Data = 0;
var cache: Cache = 6;
var pending: Pending = data;
var moved: Block = 6;   // used within a step only

input get;
internal hit, miss, need_management, load_data, load_management, bump;

action get(block) when step = Idle { request := block; step := GetData }

action hit when step = GetData and (cache[0] = request or cache[1] = request or cache[2] = request) {
  // The block becomes the one used most recently.
  choose { when cache[0] = request { cache[0] := cache[1]; cache[1] := cache[2]; cache[2] := request } }
  or { when cache[1] = request { cache[1] := cache[2]; cache[2] := request } }
  or { when cache[2] = request { skip } };
  step := Return
}

action miss when step = GetData and cache[0] != request and cache[1] != request and cache[2] != request {
  step := LoadData
}

action need_management
  when step = LoadData and cache[0] != 4 + request / 2 and cache[1] != 4 + request / 2 and cache[2] != 4 + request / 2 {
  pending := management; step := LoadManagement
}

action load_data
  when step = LoadData
    and (cache[0] = 4 + request / 2 or cache[1] = 4 + request / 2 or cache[2] = 4 + request / 2) {
  choose {
    when cache[0] < 4 or cache[0] = 6
      or (cache[0] != 4 + request / 2 and cache[1] / 2 + 4 != cache[0] and cache[2] / 2 + 4 != cache[0]) {
      cache[0] := cache[1]; cache[1] := cache[2]; cache[2] := request; step := Return
    }
  } or {
    when not (cache[0] < 4 or cache[0] = 6
      or (cache[0] != 4 + request / 2 and cache[1] / 2 + 4 != cache[0] and cache[2] / 2 + 4 != cache[0])) {
      pending := data; step := Bump
    }
  }
}

action load_management when step = LoadManagement {
  choose {
    when cache[0] < 4 or cache[0] = 6 or (cache[1] / 2 + 4 != cache[0] and cache[2] / 2 + 4 != cache[0]) {
      cache[0] := cache[1]; cache[1] := cache[2]; cache[2] := 4 + request / 2; step := LoadData
    }
  } or {
    when cache[0] >= 4 and cache[0] < 6 and (cache[1] / 2 + 4 = cache[0] or cache[2] / 2 + 4 = cache[0]) {
      step := Bump
    }
  }
}

action bump when step = Bump {
  // The block used least recently moves behind its data, or to the front if the request needs it.
  moved := cache[0];
  choose {
    when moved = 4 + request / 2 or cache[2] / 2 + 4 = moved {
      cache[0] := cache[1]; cache[1] := cache[2]; cache[2] := moved
    }
  } or {
    when moved != 4 + request / 2 and cache[2] / 2 + 4 != moved { cache[0] := cache[1]; cache[1] := moved }
  };
  moved := 6;
  choose { when pending = data { step := LoadData } } or { when pending = management { step := LoadManagement } }
}

action done when step = Return { step := Idle }

do
  get(B) for B: Data [] hit [] miss [] need_management [] load_data [] load_management [] bump [] done
od
