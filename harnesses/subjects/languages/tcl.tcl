# SPDX-License-Identifier: MIT
#
# Tcl as a subject: encoding convertfrom, which replaces or keeps what is ill-formed.

fconfigure stdin -encoding ascii
fconfigure stdout -encoding ascii -buffering line
proc answer {operation encoding args} {
    set last [lindex $args end]
    if {$encoding ne "utf-8" || $operation ne "decode" || [lindex $args 0] ne "own" || [string first , $last] >= 0} { return "skip not offered" }
    set points {}
    foreach char [split [encoding convertfrom utf-8 [binary format H* [string map {- {}} $last]]] {}] { lappend points [format %X [scan $char %c]] }
    if {[llength $points] == 0} { set points - }
    return "ok [join $points ,]"
}
while {[gets stdin line] >= 0} {
    set request [lassign [split $line] id]
    if {$id eq "hello"} {
        puts "hello assay/1 tcl [info patchlevel] encodings=utf-8 policies=own ops=decode chunks=no"
    } else {
        puts "$id [answer {*}$request]"
    }
}
