# SPDX-License-Identifier: MIT
#
# Tcl as a subject: encoding convertfrom, which replaces or keeps what is ill-formed; in pieces a channel with this encoding;
# encoding convertto.

fconfigure stdin -encoding ascii
fconfigure stdout -encoding ascii -buffering line

# The command of a channel that reads from one piece at a time; an empty one would be the end.
namespace eval pieces {
    variable left {}
    proc initialize {id mode} { return {initialize finalize watch read} }
    proc finalize {id} {}
    proc watch {id events} {}
    proc read {id count} {
        variable left
        set left [lassign $left piece]
        if {[string length $piece] > $count} { set left [linsert $left 0 [string range $piece $count end]] }
        return [string range $piece 0 $count-1]
    }
    namespace export *
    namespace ensemble create
}

proc streamed {chunks} {
    set pieces::left [lmap piece $chunks { expr {$piece eq "" ? [continue] : [binary format H* $piece]} }]
    set channel [chan create read pieces]
    fconfigure $channel -encoding utf-8 -translation lf -eofchar {}
    set text [read $channel]
    close $channel
    return $text
}

# A string of Tcl 8.6 has UTF-16 units.
proc encoded {units} {
    set text {}
    foreach unit [split [string map {- {}} $units] ,] { append text [format %c 0x$unit] }
    binary scan [encoding convertto utf-8 $text] H* bytes
    if {$bytes eq ""} { set bytes - }
    return "ok $bytes"
}

proc answer {operation encoding args} {
    if {$operation eq "encode-utf16" && $encoding eq "utf-8" && [lindex $args 0] eq "strict"} { return [encoded [lindex $args 1]] }
    set chunks [split [string map {- {}} [lindex $args end]] ,]
    if {$encoding ne "utf-8" || $operation ne "decode" || [lindex $args 0] ne "own"} { return "skip not offered" }
    set text [expr {[llength $chunks] > 1 ? [streamed $chunks] : [encoding convertfrom utf-8 [binary format H* [lindex $chunks 0]]]}]
    set points {}
    foreach char [split $text {}] { lappend points [format %X [scan $char %c]] }
    if {[llength $points] == 0} { set points - }
    return "ok [join $points ,]"
}
while {[gets stdin line] >= 0} {
    set request [lassign [split $line] id]
    if {$id eq "hello"} {
        puts "hello assay/1 tcl [info patchlevel] encodings=utf-8 policies=own,strict ops=decode,encode-utf16 chunks=late"
    } else {
        puts "$id [answer {*}$request]"
    }
}
