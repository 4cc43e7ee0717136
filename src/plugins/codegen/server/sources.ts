import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { EmittedFile } from './emit/plan.ts';

/** Source files a development server was built from. */
export class Sources {
  private readonly root: string;

  constructor(root: string) {
    this.root = resolve(root);
  }

  /** Returns a file's text; undefined when it does not exist. */
  async read(path: string): Promise<string | undefined> {
    return readFile(this.resolveInside(path), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  }

  async write({ path, text }: EmittedFile): Promise<void> {
    const file = this.resolveInside(path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** Appends a plugin to the manifest. */
  async registerPlugin(id: string): Promise<void> {
    const text = await this.read('plugins.manifest.json');
    if (text === undefined || (JSON.parse(text) as { plugins: string[] }).plugins.includes(id)) return;
    await this.write({ path: 'plugins.manifest.json', text: text.replace(/("plugins": \[[^\]]*")(\s*\])/, `$1,\n    ${JSON.stringify(id)}$2`) });
  }

  private resolveInside(path: string): string {
    const file = resolve(join(this.root, path));
    if (relative(this.root, file).startsWith(`..${sep}`)) throw new Error(`${path} is outside of the sources.`);
    return file;
  }
}
