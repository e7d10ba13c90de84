#!/usr/bin/env escript
%% SPDX-License-Identifier: MIT
%%
%% Erlang as a subject: unicode:characters_to_list and characters_to_binary (its first argument: characters), or the segment type utf8 of binaries (bits).

points([]) -> "-";
points(List) -> lists:join(",", [integer_to_list(Point, 16) || Point <- List]).

bits(<<>>, _, Points) -> {ok, [lists:reverse(Points)]};
bits(<<Point/utf8, Rest/binary>>, Size, Points) -> bits(Rest, Size, [Point | Points]);
bits(Rest, Size, _) -> {error, Size - byte_size(Rest)}.

%% Held: what an earlier chunk ended with, an incomplete character; Read: the bytes of all chunks before.
characters([Chunk | More], In, Held, Read, Groups) ->
    Size = Read + byte_size(Chunk),
    case unicode:characters_to_list(<<Held/binary, Chunk/binary>>, In) of
        List when is_list(List), More =:= [] -> {ok, lists:reverse([List | Groups])};
        List when is_list(List) -> characters(More, In, <<>>, Size, [List | Groups]);
        {incomplete, List, Rest} when More =/= [] -> characters(More, In, iolist_to_binary(Rest), Size, [List | Groups]);
        {_, List, Rest} -> {error, Size - byte_size(iolist_to_binary(Rest)), lists:reverse([List | Groups])}
    end.

decode("bits", utf8, [Bytes]) -> bits(Bytes, byte_size(Bytes), []);
decode("bits", _, _) -> skip;
decode(_, skip, _) -> skip;
decode(_, In, Chunks) -> characters(Chunks, In, <<>>, 0, []).

name("utf-8") -> utf8;
name("utf-16le") -> {utf16, little};
name("utf-16be") -> {utf16, big};
name(_) -> skip.

%% An error is at the rest that characters_to_binary gives back, in units of Size bytes.
converted(Bytes, From, To, Size) ->
    case unicode:characters_to_binary(Bytes, From, To) of
        <<>> -> "ok -";
        Text when is_binary(Text) -> ["ok ", binary_to_list(binary:encode_hex(Text))];
        {_, _, Rest} -> ["error ", integer_to_list((byte_size(Bytes) - byte_size(iolist_to_binary(Rest))) div Size)]
    end.

encoded(Points, Out) ->
    case unicode:characters_to_binary(Points, unicode, Out) of
        <<>> -> "ok -";
        Bytes when is_binary(Bytes) -> ["ok ", binary_to_list(binary:encode_hex(Bytes))];
        {error, Before, _} -> ["error ", integer_to_list(length(unicode:characters_to_list(Before, Out)))]
    end.

transcoded(From, To, Hex) ->
    case {name(From), name(To)} of
        {skip, _} -> "skip not offered";
        {_, skip} -> "skip not offered";
        {In, Out} -> converted(binary:decode_hex(list_to_binary(Hex -- "-")), In, Out, 1)
    end.

answer("characters", ["encode", To, "strict", Points]) ->
    case name(To) of
        skip -> "skip not offered";
        Out -> encoded([list_to_integer(Point, 16) || Point <- string:lexemes(Points, ",-")], Out)
    end;
answer("bits", ["encode", "utf-8", "strict", Points]) ->
    try << <<(list_to_integer(Point, 16))/utf8>> || Point <- string:lexemes(Points, ",-") >> of
        <<>> -> "ok -";
        Bytes -> ["ok ", binary_to_list(binary:encode_hex(Bytes))]
    catch
        error:badarg -> "error"
    end;
answer("characters", ["encode-utf16", To, "strict", Units]) ->
    case name(To) of
        skip -> "skip not offered";
        Out -> converted(<< <<(list_to_integer(Unit, 16)):16/big>> || Unit <- string:lexemes(Units, ",-") >>, {utf16, big}, Out, 2)
    end;
answer("characters", ["transcode", From, To, "strict", Hex]) -> transcoded(From, To, Hex);
answer("characters", ["to-well-formed", Encoding, "strict", Hex]) -> transcoded(Encoding, Encoding, Hex);
answer(How, [Operation, Encoding | Fields]) when Operation =:= "validate"; Operation =:= "stop"; Operation =:= "decode", hd(Fields) =:= "strict" ->
    Hex = string:split(lists:last(Fields), ",", all),
    case decode(How, name(Encoding), [binary:decode_hex(list_to_binary(One -- "-")) || One <- Hex]) of
        skip -> "skip not offered";
        {ok, _} when Operation =:= "validate" -> "ok";
        {ok, Groups} -> ["ok ", lists:join("|", [points(Group) || Group <- Groups])];
        {error, Offset} -> ["error ", integer_to_list(Offset)];
        {error, Offset, Groups} when Operation =:= "stop" ->
            ["error ", integer_to_list(length(Groups) - 1), " ", lists:join("|", [points(Group) || Group <- Groups]), " ", integer_to_list(Offset)];
        {error, Offset, _} -> ["error ", integer_to_list(Offset)]
    end;
answer(_, _) -> "skip not offered".

encode("bits") -> ",encode";
encode(_) -> ",stop,encode,encode-utf16,to-well-formed,transcode".

encodings("bits") -> "utf-8";
encodings(_) -> "utf-8,utf-16le,utf-16be".

chunks("bits") -> "no";
chunks(_) -> "yes".

loop(How) ->
    case io:get_line("") of
        eof -> ok;
        Line ->
            [Id | Request] = string:lexemes(string:trim(Line), " "),
            io:put_chars(case Id of
                "hello" -> ["hello assay/1 erlang-", How, " ", erlang:system_info(otp_release), " encodings=", encodings(How), " policies=strict ops=validate,decode", encode(How), " chunks=", chunks(How), "\n"];
                _ -> [Id, " ", answer(How, Request), "\n"]
            end),
            loop(How)
    end.

main([How]) -> loop(How).
