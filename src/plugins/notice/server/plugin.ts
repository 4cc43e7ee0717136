import { sql } from 'drizzle-orm';
import { crudRoutes, defineServerPlugin, queryRows, roleNameIn, route, visibleRows } from '#server';
import { audienceRoles, latestNotices, notice, noticeParameters, readers, reading } from '../contract.ts';
import { noticeMenu, noticeReadingMenu } from '../menus.ts';
import { bellNotices, noticeCards, noticeLines, noticesOf } from './notices.ts';
import { personalData } from './personal-data.ts';
import { Readings } from './readings.ts';
import { noticeMail, Releases } from './releases.ts';

const pollSeconds = 5;

/** Notices: announcements to all or selected users, with scheduled release and read receipts. */
export default defineServerPlugin({
  id: 'notice',
  title: ['通知公告', 'Notices'],
  parameters: noticeParameters,
  dependencies: ['dictionary', 'organization'],
  personalData,
  menus: [noticeMenu, noticeReadingMenu],
  mailKinds: [noticeMail],

  setup(context) {
    const { db } = context;
    const releases = new Releases(context);
    const lines = noticeLines(context);
    const readings = new Readings(context);

    return {
      routes: [
        crudRoutes(notice, noticesOf(context, releases), { search: { fields: ['title'] } }),
        route(notice.list, ({ input }) => lines(input)),
        route(audienceRoles, ({ language }) =>
          queryRows(
            db,
            sql`select r.id::text as id, ${roleNameIn(language)} as name from role r where r.is_deleted = 0 and ${visibleRows(db, 'role', 'r')} order by r.sort, r.id`,
          ),
        ),
        route(readers.list, ({ input }) => readings.readers(input)),
        route(reading.list, ({ input, principal }) => readings.page(principal, input)),
        route(reading.open, ({ input, principal }) => readings.open(principal, input.id)),
        route(latestNotices.cards, ({ principal }) => noticeCards(db, readings, principal)),
        route(latestNotices.bell, ({ principal }) => bellNotices(readings, principal)),
        route(reading.read, ({ input, principal }) => readings.read(principal, input.ids)),
      ],
      tasks: [{ everySeconds: pollSeconds, run: () => releases.tick() }],
    };
  },
});
