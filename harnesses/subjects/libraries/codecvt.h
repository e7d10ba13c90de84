// SPDX-License-Identifier: MIT
//
// codecvt.h - a std::codecvt facet that decodes in pieces: what `in` leaves comes again before the next piece.
#ifndef ASSAY_CODECVT_H
#define ASSAY_CODECVT_H

#include "protocol.h"

#include <cwchar>
#include <locale>
#include <string>
#include <vector>

template <typename Facet> class piecewise
{
    struct destructible : Facet {
        ~destructible() override = default;
    };

    destructible facet;
    std::mbstate_t state;
    std::string held;
    size_t before; // bytes of earlier pieces that it has read

  public:
    void begin()
    {
        state = {};
        held.clear();
        before = 0;
    }

    // What is left at the end is an error.
    verdict feed(const unsigned char *bytes, size_t count, bool is_last)
    {
        held.append(reinterpret_cast<const char *>(bytes), count);
        const char *from = held.data(), *next;
        std::vector<typename Facet::intern_type> points(held.size() + 1);
        typename Facet::intern_type *to;
        auto result = facet.in(state, from, from + held.size(), next, points.data(), points.data() + points.size(), to);
        emit_utf32(reinterpret_cast<const uint32_t *>(points.data()), size_t(to - points.data()));
        before += size_t(next - from);
        held.erase(0, size_t(next - from));
        return held.empty() || (result == std::codecvt_base::partial && !is_last) ? WELL_FORMED : error_at(before);
    }

    // Into room for units of the facet.
    verdict decode_into(size_t room, const unsigned char *bytes, size_t count)
    {
        const char *from = reinterpret_cast<const char *>(bytes), *next;
        std::vector<typename Facet::intern_type> units(room + 1);
        typename Facet::intern_type *to;
        auto result = facet.in(state, from, from + count, next, units.data(), units.data() + room, to);
        for (auto *unit = units.data(); unit < to; unit++)
            emit(uint32_t(*unit));
        output.read_count = size_t(next - from);
        if (result == std::codecvt_base::error)
            return error_at(output.read_count);
        return output.read_count == count ? WELL_FORMED : NO_ROOM;
    }

    template <typename Unit> verdict encode(const Unit *points, size_t count)
    {
        std::vector<typename Facet::intern_type> units(points, points + count);
        const typename Facet::intern_type *from = units.data(), *next;
        std::string bytes(4 * count + 1, '\0');
        char *to;
        facet.out(state, from, from + count, next, &bytes[0], &bytes[0] + bytes.size(), to);
        emit_bytes(bytes.data(), size_t(to - &bytes[0]));
        return next == from + count ? WELL_FORMED : error_at(size_t(next - from));
    }
};

#endif
