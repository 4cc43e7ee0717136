import { sql } from 'drizzle-orm';
import { type GaugeSource, queryRows, type ServerContext } from '#server';
import { providerMenu } from '../../menus.ts';

/** Metrics of identity providers whose users have live sessions. */
export const providerGauges = ({ db }: Pick<ServerContext, 'db'>): GaugeSource[] => [
  {
    name: 'marquee_identity_providers_unreachable',
    help: 'Enabled identity providers that have not answered the last check of their users.',
    health: [
      {
        title: ['无响应的身份源', 'Unreachable identity providers'],
        limit: {
          above: 0,
          isUrgent: false,
          page: providerMenu.code,
          text: [
            '有身份源没有响应：其用户离开后会话不会结束，请检测该身份源',
            'An identity provider does not answer. Sessions of users who leave do not end meanwhile. Check the provider.',
          ],
        },
      },
    ],
    read: () =>
      queryRows<{ value: number }>(
        db,
        sql`select count(*)::float8 as value from identity_provider where unreachable_since is not null and is_enabled and is_deleted = 0`,
      ),
  },
];
