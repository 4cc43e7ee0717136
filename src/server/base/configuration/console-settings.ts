import { readFileSync } from 'node:fs';
import Schema from 'typebox/schema';
import { type ConsoleSettings, ConsoleSettingsSchema } from '#shared/console-settings';
import type { EnvironmentReader } from './configuration.ts';

/** Reads the file that `CONSOLE_SETTINGS` names; problems in it become complaints. */
export function readConsoleSettings(read: EnvironmentReader): ConsoleSettings | undefined {
  const path = read.text('CONSOLE_SETTINGS');
  if (path === undefined) return undefined;
  try {
    const settings = JSON.parse(readFileSync(path, 'utf8')) as ConsoleSettings;
    const [, errors] = Schema.Errors(ConsoleSettingsSchema, settings);
    for (const error of errors) if (error.keyword !== 'boolean') read.complaints.push(`CONSOLE_SETTINGS, ${path}: ${sentenceOf(error)}.`);
    return settings;
  } catch (error) {
    read.complaints.push(`CONSOLE_SETTINGS is "${path}", which cannot be read as JSON: ${(error as Error).message}`);
    return undefined;
  }
}

function sentenceOf({ keyword, instancePath, message, params }: { keyword: string; instancePath: string; message: string; params: object }): string {
  const path = instancePath.slice(1).replaceAll('/', '.') || 'it';
  if (keyword !== 'additionalProperties') return `${path} ${message}`;
  return `${path} says ${(params as { additionalProperties: string[] }).additionalProperties.join(', ')}, which only a build can say`;
}
