// SPDX-License-Identifier: MIT
//
// This browser's own decoders and encoder, asked as a page would ask them.

export const BROWSER_HAS = ['utf-8', 'utf-16le', 'utf-16be'];

export const decoderOf = (encoding, fatal = false) => new TextDecoder(encoding.replace(/-sig$/, ''), {fatal, ignoreBOM: !encoding.endsWith('-sig')});
export const codePointsOf = (text) => Array.from(text, (char) => char.codePointAt(0));

// The output after each piece, and after the end: one string more than there are pieces. A fatal decoder adds `stopped`, the piece
// with which it threw.
export function decodePieces(decoder, pieces) {
  const outputs = [];
  try {
    for (const piece of pieces) outputs.push(decoder.decode(piece, {stream: true}));
    outputs.push(decoder.decode());
    return {outputs, stopped: null};
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return {outputs, stopped: outputs.length};
  }
}

export async function decodeStream(encoding, pieces) {
  const stream = new TextDecoderStream(encoding, {ignoreBOM: true}), writer = stream.writable.getWriter();
  const written = Promise.all([...pieces.map((piece) => writer.write(piece)), writer.close()]);
  let text = '';
  for (const reader = stream.readable.getReader(); ;) {
    const {done, value} = await reader.read();
    if (done) break;
    text += value;
  }
  await written;
  return text;
}

export function encodeInto(text, room) {
  const bytes = new Uint8Array(room), {read, written} = new TextEncoder().encodeInto(text, bytes);
  return {bytes: bytes.subarray(0, written), read};
}
