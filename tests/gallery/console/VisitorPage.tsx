import { useState } from 'react';
import { CrudPage, useTabTitle } from '#kernel';
import { Visitor, visitorMenu, visitors } from '../tables.ts';

const calls = { entity: Visitor, menu: visitorMenu.code, list: visitors };

const empty = { title: ['暂无访客', 'No visitors yet'], hint: ['来访的人显示在这里。', 'Visitors appear here.'] } as const;

/** Shows ten thousand selectable rows in one table; the tab title counts the greetings. */
export default function VisitorPage() {
  const [greetings, setGreetings] = useState(0);
  useTabTitle(greetings > 0 ? [`访客（问候 ${greetings} 次）`, `Visitors greeted: ${greetings}`] : undefined);
  const greet = { title: ['问候', 'Greet'] as const, onClick: () => setGreetings((before) => before + 1) };
  return <CrudPage crud={calls} title={visitorMenu.title} empty={empty} actions={{ toolbar: [greet] }} />;
}
