import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';

/** Matches built files, which carry a hash in their names: the map of another build is not found, so its stack stays unchanged. */
const frame = /assets\/([\w.~-]{1,200}\.js):(\d{1,7}):(\d{1,7})/;
/** Matches one position in a stack, including the console's URL before it. */
const word = /[^\s()]+/g;
/** Maximum number of maps read for one report, so that a report cannot overload the server. */
const maxFiles = 6;

/** Maps stacks of the built console to source positions. The maps are beside the console and are never served. */
export class SourceMaps {
  private readonly maps = new LRUCache<string, Promise<SourceMap | undefined>>({ max: 8 });

  /** Folder where the build stores the maps; without it every stack stays unchanged. */
  constructor(private readonly folder: string | undefined) {}

  /** Returns the text with source positions where they are known. */
  async resolve(stack: string): Promise<string> {
    const frames = (stack.match(word) ?? []).flatMap((each) => frame.exec(each)?.[1] ?? []);
    const names = [...new Set(frames)].slice(0, maxFiles);
    if (this.folder === undefined || names.length === 0) return stack;
    const maps = new Map<string, SourceMap | undefined>();
    for (const name of names) maps.set(name, await this.mapOf(name));
    return stack.replace(word, (each) => {
      const [match, name = '', line, column] = frame.exec(each) ?? [];
      const origin = match === undefined ? undefined : originOf(maps.get(name), Number(line), Number(column));
      return match === undefined || origin === undefined ? each : withOrigin(each, match, origin);
    });
  }

  private mapOf(name: string): Promise<SourceMap | undefined> {
    const sourceMap = this.maps.get(name) ?? this.read(name);
    this.maps.set(name, sourceMap);
    return sourceMap;
  }

  private async read(name: string): Promise<SourceMap | undefined> {
    const path = join(this.folder ?? '', 'assets', `${name}.map`);
    if (!existsSync(path)) return undefined;
    try {
      return new SourceMap(JSON.parse(await readFile(path, 'utf8')) as SourceMapPayload);
    } catch {
      // An unmapped stack is better than a lost report.
      return undefined;
    }
  }
}

/** Replaces the built position and its URL in one word of a stack with the source position. */
function withOrigin(each: string, index: string, origin: string): string {
  const end = each.indexOf(index);
  const address = each.search(/https?:\/\//);
  return each.slice(0, address === -1 || address > end ? end : address) + origin + each.slice(end + index.length);
}

/** Converts positions: stacks count from one, maps from zero. */
function originOf(map: SourceMap | undefined, line: number, column: number): string | undefined {
  const entry = map?.findEntry(line - 1, column - 1);
  if (!entry || !('originalSource' in entry) || !entry.originalSource) return undefined;
  const source = entry.originalSource.replace(/^(?:webpack:\/\/\/?)?(?:\.\/)?/, '');
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}
