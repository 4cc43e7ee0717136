import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');

/** Sections of the operator's page that contain commands of a shell. */
export const sectionsWithCommands = (): string[] =>
  page
    .split(/\n#{2,3} /)
    .slice(1)
    .filter((section) => section.includes('```sh\n'))
    .map((section) => section.split('\n')[0] ?? '');

/** Returns the commands of a section of the operator's page, one text for each block, exactly as they are written there. */
export function documentedCommands(title: string, language = 'sh'): string[] {
  const section = page.split(/\n#{2,3} /).find((text) => text.startsWith(`${title}\n`));
  if (section === undefined) throw new Error(`docs/operating.md has no section “${title}”.`);
  return [...section.matchAll(new RegExp(`\`\`\`${language}\n([^\`]+)\`\`\``, 'g'))].map(([, commands]) => commands ?? '');
}
