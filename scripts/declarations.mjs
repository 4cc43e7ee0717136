/** Lets the compiler write the declarations of public modules, for the API reports and for authors of plugins outside this repository. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageCommand, root } from './prepare.mjs';

/** Emits the declarations of these files of the project and of everything they import into `folder/out`, which has the folders of the project. */
export function emitDeclarations(folder, entries) {
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      newLine: 'lf',
      outDir: join(folder, 'out'),
      rootDir: root,
      noCheck: true,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: [...entries, 'src/shared/deployment.d.ts'].map((entry) => join(root, entry)),
    include: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { stdout, stderr } = spawnSync(process.execPath, [packageCommand('typescript'), '-p', folder], { encoding: 'utf8' });
  const missing = entries.find((entry) => !existsSync(declarationOf(folder, entry)));
  if (missing) throw new Error(`The compiler emitted no declarations of ${missing}: ${stdout}${stderr}`);
}

/** Returns the declaration file of a source file of the project. */
export const declarationOf = (folder, entry) => join(folder, 'out', entry.replace(/\.tsx?$/, '.d.ts'));
