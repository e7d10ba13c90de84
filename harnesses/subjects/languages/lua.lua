-- SPDX-License-Identifier: MIT
--
-- Lua as a subject: the library utf8, strict. utf8.len gives the position of the first invalid byte.

io.stdout:setvbuf('line')

local function from_hex(hex)
  return (hex:gsub('-', ''):gsub('%x%x', function(pair) return string.char(tonumber(pair, 16)) end))
end

local function encoded(units)
  local points = {}
  for point in units:gmatch('%x+') do
    points[#points + 1] = tonumber(point, 16)
  end
  local is_done, bytes = pcall(utf8.char, table.unpack(points))
  if not is_done then return 'error' end
  return 'ok ' .. (#bytes > 0 and bytes:gsub('.', function(byte) return string.format('%02X', byte:byte()) end) or '-')
end

-- Of valid text, which utf8.offset assumes.
local function boundaries(bytes)
  if not utf8.len(bytes) then return 'skip not offered' end
  local offsets = {}
  for at = 1, #bytes + 1 do offsets[at] = utf8.offset(bytes, 0, at) - 1 end
  return 'ok ' .. table.concat(offsets, ',')
end

local function answer(operation, encoding, ...)
  local fields = {...}
  local last = fields[#fields]
  if encoding == 'utf-8' and operation == 'encode' and fields[1] == 'strict' then return encoded(last) end
  if encoding == 'utf-8' and operation == 'boundaries' then return boundaries(from_hex(last)) end
  if encoding ~= 'utf-8' or (operation ~= 'validate' and not (operation == 'decode' and fields[1] == 'strict')) or last:find(',') then
    return 'skip not offered'
  end
  local bytes = from_hex(last)
  local length, position = utf8.len(bytes)
  if not length then return 'error ' .. position - 1 end
  if operation == 'validate' then return 'ok' end
  local points = {}
  for _, point in utf8.codes(bytes) do points[#points + 1] = string.format('%X', point) end
  return 'ok ' .. (#points > 0 and table.concat(points, ',') or '-')
end

for line in io.lines() do
  local words = {}
  for word in line:gmatch('%S+') do words[#words + 1] = word end
  if words[1] == 'hello' then
    print('hello assay/1 ' .. _VERSION:lower():gsub(' ', ' ') .. ' encodings=utf-8 policies=strict ops=validate,decode,encode,boundaries chunks=no')
  else
    print(words[1] .. ' ' .. answer(table.unpack(words, 2)))
  end
end
