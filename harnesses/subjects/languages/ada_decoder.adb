--  SPDX-License-Identifier: MIT
--
--  Ada as a subject: Decode and Encode of Ada.Strings.UTF_Encoding.Wide_Wide_Strings, and its Conversions, as GNAT has them.

with Ada.Strings.Unbounded; use Ada.Strings.Unbounded;
with Ada.Strings.UTF_Encoding.Conversions;
with Ada.Strings.UTF_Encoding.Wide_Wide_Strings; use Ada.Strings.UTF_Encoding, Ada.Strings.UTF_Encoding.Wide_Wide_Strings;
with Ada.Text_IO; use Ada.Text_IO;

procedure Ada_Decoder is
   Digit : constant String := "0123456789ABCDEF";

   function Hex (Value : Natural) return String is
     ((if Value < 16 then "" else Hex (Value / 16)) & Digit (Value mod 16 + 1));

   function Or_None (Text : Unbounded_String) return String is
     (if Text = "" then "-" else To_String (Text));

   function Bytes (Text : String) return String is
      Result : String (1 .. (if Text = "-" then 0 else Text'Length / 2));
   begin
      for I in Result'Range loop
         Result (I) := Character'Val (Integer'Value ("16#" & Text (Text'First + 2 * I - 2 .. Text'First + 2 * I - 1) & "#"));
      end loop;
      return Result;
   end Bytes;

   function Spelled (Text : String) return String is
      Result : Unbounded_String;
   begin
      for One of Text loop
         Append (Result, Digit (Character'Pos (One) / 16 + 1) & Digit (Character'Pos (One) mod 16 + 1));
      end loop;
      return Or_None (Result);
   end Spelled;

   function Scalars (Text : Wide_Wide_String) return String is
      Result : Unbounded_String;
   begin
      for One of Text loop
         Append (Result, (if Result = "" then "" else ",") & Hex (Wide_Wide_Character'Pos (One)));
      end loop;
      return Or_None (Result);
   end Scalars;

   --  Of code points in hex, joined by commas. Raises Constraint_Error for one that Wide_Wide_Character does not have.
   function Text_Of (Points : String) return Wide_Wide_String is
      Result : Wide_Wide_String (1 .. Points'Length);
      Count  : Natural := 0;
      First  : Positive := Points'First;
   begin
      for I in Points'First .. (if Points = "-" then 0 else Points'Last) loop
         if I = Points'Last or else Points (I + 1) = ',' then
            Count := Count + 1;
            Result (Count) := Wide_Wide_Character'Val (Long_Long_Integer'Value ("16#" & Points (First .. I) & "#"));
            First := I + 2;
         end if;
      end loop;
      return Result (1 .. Count);
   end Text_Of;

   --  The word with this number; the last one if there are fewer.
   function Word (Line : String; Number : Positive) return String is
   begin
      for I in Line'Range loop
         if Line (I) = ' ' then
            return (if Number = 1 then Line (Line'First .. I - 1) else Word (Line (I + 1 .. Line'Last), Number - 1));
         end if;
      end loop;
      return Line;
   end Word;

   function Scheme_Of (Encoding : String) return Encoding_Scheme is
     (if Encoding = "utf-8" then UTF_8 elsif Encoding = "utf-16le" then UTF_16LE elsif Encoding = "utf-16be" then UTF_16BE else raise Constraint_Error);

   --  Of UTF-16 units in hex.
   function Units_Of (Units : String) return UTF_16_Wide_String is
      Text   : constant Wide_Wide_String := Text_Of (Units);
      Result : UTF_16_Wide_String (Text'Range);
   begin
      for I in Text'Range loop
         Result (I) := Wide_Character'Val (Wide_Wide_Character'Pos (Text (I)));
      end loop;
      return Result;
   end Units_Of;

   function Answer (Operation, Last : String; Scheme : Encoding_Scheme) return String is
   begin
      if Operation = "encode" then
         return "ok " & Spelled (Encode (Text_Of (Last), Scheme));
      end if;
      if Operation = "encode-utf16" then
         return (if Scheme = UTF_8 then "ok " & Spelled (Conversions.Convert (Units_Of (Last), UTF_8)) else "skip not offered");
      end if;
      declare
         Text : constant Wide_Wide_String := Decode (Bytes (Last), Scheme);
      begin
         return (if Operation = "validate" then "ok" else "ok " & Scalars (Text));
      end;
   exception
      when Encoding_Error => return "error";
      when Constraint_Error => return "skip not offered";
   end Answer;

   function Transcoding (From, To, Hex : String) return String is
   begin
      return "ok " & Spelled (Conversions.Convert (Bytes (Hex), Scheme_Of (From), Scheme_Of (To)));
   exception
      when Encoding_Error => return "error";
      when Constraint_Error => return "skip not offered";
   end Transcoding;

begin
   while not End_Of_File loop
      declare
         Line     : constant String := Get_Line;
         Encoding : constant String := Word (Line, 3);
      begin
         Put_Line
           (if Word (Line, 1) = "hello"
            then "hello assay/1 gnat encodings=utf-8,utf-16le,utf-16be policies=strict ops=validate,decode,encode,encode-utf16,to-well-formed,transcode chunks=no"
            elsif Word (Line, 2) = "to-well-formed"
            then Word (Line, 1) & " " & (if Word (Line, 4) = "strict" then Transcoding (Encoding, Encoding, Word (Line, Positive'Last)) else "skip not offered")
            elsif Word (Line, 2) = "transcode"
            then Word (Line, 1) & " " & Transcoding (Encoding, Word (Line, 4), Word (Line, Positive'Last))
            else Word (Line, 1) & " " & Answer (Word (Line, 2), Word (Line, Positive'Last),
                                                (if Encoding = "utf-8" then UTF_8 elsif Encoding = "utf-16le" then UTF_16LE else UTF_16BE)));
         Flush;
      end;
   end loop;
end Ada_Decoder;
