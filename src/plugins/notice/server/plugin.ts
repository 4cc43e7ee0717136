import { sql } from 'drizzle-orm';
import { defineServerPlugin, queryRows, visibleRows } from '#server';
import { audienceRoles, latestNotices, notice, noticeParameters, readers, reading } from '../contract.ts';
import { noticeMenu, noticeReadingMenu } from '../menus.ts';
import { noticeCards, noticesUnderBell } from './latest-notices.ts';
import { noticeLines, noticesOf } from './notices.ts';
import { Readings } from './readings.ts';
import { Releases } from './releases.ts';

const lookSeconds = 5;

/** Notices: announcements to all or selected users, with scheduled release and read receipts. */
export default defineServerPlugin({
  id: 'notice',
  title: ['通知公告', 'Notices'],
  parameterDeclarations: noticeParameters,
  dependencies: ['dictionary', 'organization'],
  menus: [noticeMenu, noticeReadingMenu],

  routes(context) {
    const { serve, serveCrud, db, every } = context;
    const releases = new Releases(context);
    const lines = noticeLines(context);
    const readings = new Readings(context);

    serveCrud(notice, noticesOf(context, releases));
    serve(notice.list, ({ input }) => lines(input));
    serve(audienceRoles, () =>
      queryRows(db, sql`select id::text as id, role_name as name from role where is_deleted = 0 and ${visibleRows(db, 'role')} order by sort, id`),
    );
    serve(readers.list, ({ input }) => readings.readers(input));
    serve(reading.list, ({ input, principal }) => readings.page(principal, input));
    serve(reading.open, ({ input, principal }) => readings.open(principal, input.id));
    serve(latestNotices.cards, ({ principal }) => noticeCards(db, readings, principal));
    serve(latestNotices.bell, ({ principal }) => noticesUnderBell(readings, principal));
    serve(reading.read, ({ input, principal }) => readings.read(principal, input.ids));
    every(lookSeconds, () => releases.tick());
  },
});
