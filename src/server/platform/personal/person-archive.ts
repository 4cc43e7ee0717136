import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ExportedFile, PersonExport } from './person-export.ts';

/** Opens the content of a file; undefined if its store cannot be reached. */
export type OpenFile = (file: ExportedFile) => Promise<Readable | undefined>;

/** Writes everything about a person as a ZIP archive: `person.json`, and each file under `files/`, with its id before its name. */
export function personArchive({ person, records, files }: PersonExport, open: OpenFile): Readable {
  const zip = new ZipFile();
  void addAll(zip, { person, records, files }, open).catch((error: Error) => (zip.outputStream as Readable).destroy(error));
  return zip.outputStream as Readable;
}

async function addAll(zip: ZipFile, { person, records, files }: PersonExport, open: OpenFile): Promise<void> {
  const listed: (ExportedFile & { readonly path: string | null })[] = [];
  for (const file of files) {
    const content = await open(file);
    const path = content ? `files/${file.id}-${file.name}` : null;
    listed.push({ ...file, path });
    if (content && path) zip.addReadStream(content, path);
  }
  const { userId, account, name, phones, emails } = person;
  const document = { person: { userId, account, name, phones, emails }, exportedAt: new Date().toISOString(), records, files: listed };
  zip.addBuffer(Buffer.from(`${JSON.stringify(document, null, 2)}\n`), 'person.json');
  zip.end();
}
