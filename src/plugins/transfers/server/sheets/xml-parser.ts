import type { Readable } from 'node:stream';
import { Parser } from 'htmlparser2';

/** Attributes of an element, by their names as written. */
export type Attributes = Readonly<Record<string, string>>;

/** Receives an XML document in pieces. Element names have no namespace prefix; a text may arrive in several pieces. */
export interface XmlHandler {
  open?(name: string, attributes: Attributes): void;
  text?(piece: string): void;
  close?(name: string): void;
}

/** Parses an XML document as it streams in and yields after each chunk. Throws if the document ends inside an element. */
export async function* parseXml(content: Readable, handler: XmlHandler): AsyncGenerator<void> {
  let isEnding = false;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => handler.open?.(localName(name), attributes),
      ontext: (piece) => handler.text?.(piece),
      onclosetag(name) {
        // At the end of a document, the parser closes what the document left open.
        if (isEnding) throw new Error(`The XML ends inside <${name}>.`);
        handler.close?.(localName(name));
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder();
  for await (const chunk of content) {
    parser.write(decoder.decode(chunk as Buffer, { stream: true }));
    yield;
  }
  isEnding = true;
  parser.end(decoder.decode());
}

/** Parses a whole XML document. */
export async function parseWholeXml(content: Readable, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(content, handler));
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);
