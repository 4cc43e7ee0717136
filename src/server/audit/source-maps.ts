import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';

/** Files of a build carry a hash in their names: one of another build is not found, and its stack stays as it came. */
const frame = /(?:https?:\/\/[^\s()]+?\/)?assets\/([\w.~-]{1,200}\.js):(\d{1,7}):(\d{1,7})/g;
/** What one report may have read, so that nobody keeps the server busy with it. */
const mostFiles = 6;

/** Reads stacks of the built console as they were written. The maps lie beside the console and are served to nobody. */
export class SourceMaps {
  private readonly known = new LRUCache<string, Promise<SourceMap | undefined>>({ max: 8 });

  /** `folder` is where the build has put them; without one every stack stays as it is. */
  constructor(private readonly folder: string | undefined) {}

  /** The same text with the places of the sources, as far as they are known. */
  async resolve(stack: string): Promise<string> {
    const names = [...new Set([...stack.matchAll(frame)].map(([, name]) => name as string))].slice(0, mostFiles);
    if (this.folder === undefined || names.length === 0) return stack;
    const maps = new Map<string, SourceMap | undefined>();
    for (const name of names) maps.set(name, await this.mapOf(name));
    return stack.replace(frame, (place, name: string, line: string, column: string) => originOf(maps.get(name), Number(line), Number(column)) ?? place);
  }

  private mapOf(name: string): Promise<SourceMap | undefined> {
    const known = this.known.get(name) ?? this.read(name);
    this.known.set(name, known);
    return known;
  }

  private async read(name: string): Promise<SourceMap | undefined> {
    const path = join(this.folder ?? '', 'assets', `${name}.map`);
    if (!existsSync(path)) return undefined;
    try {
      return new SourceMap(JSON.parse(await readFile(path, 'utf8')) as SourceMapPayload);
    } catch {
      // A stack that is read as it came is better than a report that is lost.
      return undefined;
    }
  }
}

/** Stacks count from one, maps from nought. */
function originOf(map: SourceMap | undefined, line: number, column: number): string | undefined {
  const entry = map?.findEntry(line - 1, column - 1);
  if (!entry || !('originalSource' in entry) || !entry.originalSource) return undefined;
  const source = entry.originalSource.replace(/^(?:webpack:\/\/\/?)?(?:\.\/)?/, '');
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}
