import { contractFile } from './contract-file.ts';
import { consoleFile, menusFile, nounsFile, pageFile, serverFile } from './halves.ts';
import { migrationFile } from './migration-file.ts';
import type { EmittedFile, PluginPlan } from './plan.ts';
import { testFile } from './test-file.ts';

/** Emits a complete plugin: contract, menu, both halves, tables and a test. */
export function emit(plan: PluginPlan): EmittedFile[] {
  const folder = `src/plugins/${plan.id}`;
  return [
    { path: `${folder}/contract.ts`, text: contractFile(plan) },
    { path: `${folder}/menus.ts`, text: menusFile(plan) },
    { path: `${folder}/server/plugin.ts`, text: serverFile(plan) },
    { path: `${folder}/server/migrations/0001-${plan.id}.sql`, text: migrationFile(plan) },
    { path: `${folder}/console/plugin.ts`, text: consoleFile(plan) },
    { path: `${folder}/console/nouns.ts`, text: nounsFile(plan) },
    { path: `${folder}/console/${plan.main.className}Page.tsx`, text: pageFile(plan) },
    { path: `tests/plugins/${plan.id}/server/${plan.id}.test.ts`, text: testFile(plan) },
  ];
}
