import type { Static } from 'typebox';
import * as Type from 'typebox';
import { entity, get, NoContent, NoInput, post } from '#shared/contract';
import { Id, Integer, Select, Text } from '#shared/fields';

const path = '/api/blade-resource/email/own';

/** A kind of e-mail, with its title in the language of the request. */
export const EmailKind = Type.Object({
  code: Type.String(),
  title: Type.String(),
  use: Type.Unsafe<'notification' | 'optional' | 'required'>({ type: 'string' }),
});

/** Preference in which a user's choices are stored, by code of a topic; an absent choice is the default. */
export const channelsPreference = { key: 'notifications', version: 1 } as const;
/** Choices of one user. */
export type ChannelChoices = Readonly<Record<string, { readonly inbox?: boolean; readonly mail?: boolean }>>;
/** Preference with the language in which the user last used the console. */
export const languagePreference = { key: 'language', version: 1 } as const;

/** A saved view that is mailed to its owner every week. */
export const ViewSubscription = entity(
  'email_view',
  {
    id: Id(),
    list: Text({ title: ['列表', 'List'], maxLength: 160 }),
    view: Text({ title: ['视图', 'View'], maxLength: 40 }),
    weekday: Select({
      title: ['星期', 'Weekday'],
      options: [
        [1, ['周一', 'Monday']],
        [2, ['周二', 'Tuesday']],
        [3, ['周三', 'Wednesday']],
        [4, ['周四', 'Thursday']],
        [5, ['周五', 'Friday']],
        [6, ['周六', 'Saturday']],
        [7, ['周日', 'Sunday']],
      ],
      default: 1,
    }),
    hour: Integer({ title: ['时刻', 'Hour'], minimum: 0, maximum: 23, default: 9 }),
  },
  { history: false },
);

const Subscription = Type.Object({
  id: Id(),
  list: ViewSubscription.fields.list,
  view: ViewSubscription.fields.view,
  weekday: ViewSubscription.fields.weekday,
  hour: ViewSubscription.fields.hour,
  /** Title of the page. */
  title: Type.String(),
});
export type Subscription = Static<typeof Subscription>;

/** Calls of the signed-in user about their own e-mail. */
export const ownEmail = {
  /** Topics a user can choose between, and the address to which e-mail goes. */
  settings: get(`${path}/settings`, {
    title: ['我的通知方式', 'My notification settings'],
    access: 'signedIn',
    input: NoInput,
    reply: Type.Object({ address: Type.String(), isOffered: Type.Boolean(), topics: Type.Array(EmailKind) }),
  }),
  views: get(`${path}/views`, {
    title: ['我的邮件视图', 'My mailed views'],
    access: 'signedIn',
    input: NoInput,
    reply: Type.Object({ isOffered: Type.Boolean(), views: Type.Array(Subscription) }),
  }),
  /** Mails one of the caller's saved views every week, or changes when. */
  mailView: post(`${path}/mail-view`, {
    title: ['定期邮件视图', 'Mail a view'],
    access: 'signedIn',
    input: Type.Object({
      list: ViewSubscription.fields.list,
      view: ViewSubscription.fields.view,
      weekday: Type.Optional(ViewSubscription.fields.weekday),
      hour: Type.Optional(ViewSubscription.fields.hour),
    }),
    reply: Type.Object({ address: Type.String(), weekday: ViewSubscription.fields.weekday, hour: ViewSubscription.fields.hour }),
  }),
  stopView: post(`${path}/stop-view`, {
    title: ['停止邮件视图', 'Stop mailing a view'],
    access: 'signedIn',
    input: Type.Object({ list: ViewSubscription.fields.list, view: ViewSubscription.fields.view }),
    reply: NoContent,
  }),
};
