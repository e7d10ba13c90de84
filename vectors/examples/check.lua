-- SPDX-License-Identifier: CC0-1.0
-- Holds Lua's utf8 library against the golden vectors: lua5.4 vectors/examples/check.lua vectors
-- To test another decoder, put it into `decoded`. Lua has no JSON: a test is a line of its file, and its fields are found by their names.
local function decoded(bytes) -- the code points, or nil if the bytes are ill-formed
  if not utf8.len(bytes) then return nil end
  local points = {utf8.codepoint(bytes, 1, -1)}
  for at, point in ipairs(points) do points[at] = string.format("%X", point) end
  return #points > 0 and table.concat(points, ",") or "-"
end

local CATEGORIES = {"bit-flips", "blocks", "invalid-lead", "missing-continuation", "museum", "next-byte", "next-two-bytes", "old-scheme", "out-of-range",
  "overlong", "resynchronisation", "second-character", "standard-examples", "stray-continuation", "surrogate", "swallowing", "truncated", "well-formed"}
if #arg ~= 1 then
  io.stderr:write("usage: check.lua FOLDER-OF-VECTORS\n")
  os.exit(2)
end
local passed, total = 0, 0
for _, category in ipairs(CATEGORIES) do
  local file = io.open(arg[1] .. "/utf-8/" .. category .. ".json")
  for line in file and file:lines() or function() end do
    local id, bytes = line:match('"id":"([^"]+)"'), line:match('"bytes":"([^"]+)"')
    if id and bytes then
      local text = bytes:gsub("-", ""):gsub("..", function(pair) return string.char(tonumber(pair, 16)) end)
      local given = decoded(text) or "ill-formed"
      local wanted = line:find('"well_formed":true', 1, true) and line:match('"strict":"([^"]+)"') or "ill-formed"
      total = total + 1
      if given == wanted then
        passed = passed + 1
      else
        io.stderr:write(id, ": strict of ", bytes, ": given ", given, ", wanted ", wanted, "\n")
      end
    end
  end
  if file then file:close() end
end
if total == 0 then
  io.stderr:write("no vectors in ", arg[1], "\n")
  os.exit(2)
end
print("strict: " .. passed .. " of " .. total .. " passed")
os.exit(passed < total and 1 or 0)
