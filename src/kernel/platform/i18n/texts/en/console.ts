import type { ConsoleTexts } from '../shape.ts';
import { acting } from './acting.ts';
import { connection } from './connection.ts';
import { crud } from './crud.ts';
import { form } from './form.ts';
import { logs } from './logs.ts';
import { navigation } from './navigation.ts';
import { order } from './order.ts';
import { palette } from './palette.ts';
import { passwords } from './passwords.ts';
import { preview } from './preview.ts';
import { settings } from './settings.ts';
import { table } from './table.ts';
import { tabs } from './tabs.ts';

/** English texts of the console, one object for each area, with placeholders written `{name}`. They are loaded with the console. */
export const console: ConsoleTexts = {
  acting,
  connection,
  crud,
  form,
  logs,
  navigation,
  order,
  palette,

  passwords,
  preview,
  settings,
  table,
  tabs,
};
