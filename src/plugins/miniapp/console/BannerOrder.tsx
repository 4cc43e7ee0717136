import { Button, Radio } from '@arco-design/web-react';
import { IconDown, IconDragDotVertical, IconUp } from '@arco-design/web-react/icon';
import { useEffect, useState } from 'react';
import { Http, useService, useWords } from '#kernel';
import { traitsOf } from '#shared/fields';
import { Banner, type BannerRow, banner } from '../contract.ts';
import styles from './miniapp.module.css';
import { miniappWords } from './words.ts';

const positions = traitsOf(Banner.fields.position)?.options ?? [];
const mostShown = 200;

/** The banners of one position in their order: dragged, or moved a place by a key or a click. Each move is saved at once. */
export function BannerOrder() {
  const say = useWords();
  const [position, choose] = useState<BannerRow['position']>('home');
  const { rows, said, move } = useOrder(position);
  const [dragged, drag] = useState<number>();
  return (
    <div className={styles.panel}>
      <Radio.Group type="button" value={position} onChange={choose} aria-label={say(traitsOf(Banner.fields.position)?.title ?? miniappWords.arrange)}>
        {positions.map(([value, title]) => (
          <Radio key={value} value={value}>
            {say(title)}
          </Radio>
        ))}
      </Radio.Group>
      <p className={styles.hint}>{say(rows?.length === 0 ? miniappWords.nothing : miniappWords.arrangeHint)}</p>
      <ol className={styles.order}>
        {rows?.map((row, place) => (
          <li
            key={row.id}
            className={place === dragged ? styles.lifted : styles.line}
            draggable
            onDragStart={() => drag(place)}
            onDragEnd={() => drag(undefined)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => {
              if (dragged !== undefined) void move(dragged, place);
              drag(undefined);
            }}
          >
            <IconDragDotVertical className={styles.grip} aria-hidden="true" />
            <img className={styles.picture} src={row.image} alt="" />
            <span className={styles.name}>{row.title}</span>
            <Button
              aria-label={say(miniappWords.up, { title: row.title })}
              icon={<IconUp />}
              disabled={place === 0}
              onClick={() => void move(place, place - 1)}
            />
            <Button
              aria-label={say(miniappWords.down, { title: row.title })}
              icon={<IconDown />}
              disabled={place === rows.length - 1}
              onClick={() => void move(place, place + 1)}
            />
          </li>
        ))}
      </ol>
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </div>
  );
}

function useOrder(position: BannerRow['position']) {
  const http = useService(Http);
  const say = useWords();
  const [rows, show] = useState<readonly BannerRow[]>();
  const [said, tell] = useState('');
  const [reads, read] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another read is what asks again
  useEffect(() => {
    const controller = new AbortController();
    const asked = { position_equal: position, size: mostShown, ascs: 'sort' };
    http.send(banner.list, asked, { signal: controller.signal }).then(
      (answer) => show(answer.success ? answer.data.records : []),
      () => undefined,
    );
    return () => controller.abort();
  }, [http, position, reads]);
  const move = async (from: number, to: number) => {
    const row = rows?.[from];
    if (!rows || !row || from === to) return;
    const others = rows.filter((_, place) => place !== from);
    const next = [...others.slice(0, to), row, ...others.slice(to)];
    show(next);
    tell(say(miniappWords.moved, { title: row.title, place: to + 1, count: rows.length }));
    const answer = await http.send(banner.order, { position, ids: next.map(({ id }) => id) }).catch(() => undefined);
    if (!answer?.success) read(reads + 1);
  };
  return { rows, said, move };
}
