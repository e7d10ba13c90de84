#!/usr/bin/env escript
%% SPDX-License-Identifier: MIT
%%
%% Erlang as a subject: unicode:characters_to_list (its first argument: characters), or the segment type utf8 of binaries (bits).

points([]) -> "-";
points(List) -> lists:join(",", [integer_to_list(Point, 16) || Point <- List]).

bits(<<>>, Points) -> {ok, lists:reverse(Points)};
bits(<<Point/utf8, Rest/binary>>, Points) -> bits(Rest, [Point | Points]);
bits(Rest, _) -> {error, byte_size(Rest)}.

characters(Bytes) ->
    case unicode:characters_to_list(Bytes, utf8) of
        List when is_list(List) -> {ok, List};
        {_, _, Rest} -> {error, byte_size(iolist_to_binary(Rest))}
    end.

decode("bits", Bytes) -> bits(Bytes, []);
decode(_, Bytes) -> characters(Bytes).

answer(How, [Operation, "utf-8" | Fields]) when Operation =:= "validate"; Operation =:= "decode", hd(Fields) =:= "strict" ->
    Hex = lists:last(Fields),
    case lists:member($,, Hex) of
        true -> "skip not offered";
        false ->
            Bytes = binary:decode_hex(list_to_binary(Hex -- "-")),
            case decode(How, Bytes) of
                {ok, _} when Operation =:= "validate" -> "ok";
                {ok, Points} -> ["ok ", points(Points)];
                {error, Left} -> ["error ", integer_to_list(byte_size(Bytes) - Left)]
            end
    end;
answer(_, _) -> "skip not offered".

loop(How) ->
    case io:get_line("") of
        eof -> ok;
        Line ->
            [Id | Request] = string:lexemes(string:trim(Line), " "),
            io:put_chars(case Id of
                "hello" -> ["hello assay/1 erlang-", How, " ", erlang:system_info(otp_release), " encodings=utf-8 policies=strict ops=validate,decode chunks=no\n"];
                _ -> [Id, " ", answer(How, Request), "\n"]
            end),
            loop(How)
    end.

main([How]) -> loop(How).
