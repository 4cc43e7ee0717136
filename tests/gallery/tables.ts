import * as Type from 'typebox';
import { crud, entity, get, NoInput } from '#shared/contract';
import { Id, Integer, Money, Select, Text } from '#shared/fields';
import { menu } from '#shared/menu-entry';
import { Place } from './contract.ts';

/** Visitors: a long list that is answered without pages. */
export const Visitor = entity('visitor', {
  id: Id(),
  name: Text({ title: ['访客', 'Visitor'], maxLength: 64, copyable: true }),
  visits: Integer({ title: ['次数', 'Visits'] }),
  spent: Money({ title: ['消费', 'Spent'] }),
  level: Select({
    title: ['等级', 'Level'],
    options: [
      [1, ['普通', 'Regular']],
      [2, ['会员', 'Member']],
    ],
    tones: { 1: 'neutral', 2: 'good' },
  }),
});

export const visitors = get('/api/gallery/visitor/list', {
  title: ['全部访客', 'All visitors'],
  access: 'signedIn',
  input: NoInput,
  reply: Type.Array(Visitor.row),
});

export const visitorMenu = menu({ code: 'visitor', title: ['访客', 'Visitors'], path: '/gallery/visitor', under: 'base', icon: 'user' });

/** The same places, read level by level. */
export const shelf = crud('/api/gallery/shelf', Place, { menu: 'shelf', tree: true, lazy: true });

export const shelfMenu = menu({
  code: 'shelf',
  title: ['逐级展位', 'Places by level'],
  path: '/gallery/shelf',
  under: 'base',
  icon: 'storage',
  buttons: ['add', 'edit', 'delete', 'view'],
});
