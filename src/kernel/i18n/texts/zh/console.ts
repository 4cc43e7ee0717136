import { acting } from './acting.ts';
import { connection } from './connection.ts';
import { crud } from './crud.ts';
import { form } from './form.ts';
import { inbox } from './inbox.ts';
import { logs } from './logs.ts';
import { navigation } from './navigation.ts';
import { order } from './order.ts';
import { palette } from './palette.ts';
import { preview } from './preview.ts';
import { settings } from './settings.ts';
import { table } from './table.ts';
import { tabs } from './tabs.ts';
import { transfers } from './transfers.ts';

/** In Chinese: what the console says, one object per room, places written `{name}`. Loaded with the console. */
export const console = { acting, connection, crud, form, inbox, logs, navigation, order, palette, preview, settings, table, tabs, transfers };
