import { Radio } from '@arco-design/web-react';
import { useCallback, useState } from 'react';
import { Http, OrderList, thumbnailUrl, useOrder, useService, useText, useWords } from '#kernel';
import { traitsOf } from '#shared/fields';
import { Banner, type BannerRow, banner } from '../contract.ts';
import styles from './miniapp.module.css';
import { miniappWords } from './words.ts';

const positions = traitsOf(Banner.fields.position)?.options ?? [];
const mostShown = 200;

/** Reorders the banners of one position; each move is saved at once. */
export function BannerOrder() {
  const say = useWords();
  const text = useText();
  const http = useService(Http);
  const [position, setPosition] = useState<BannerRow['position']>('home');
  const read = useCallback(
    async (signal: AbortSignal) => {
      const answer = await http.send(banner.list, { position_equal: position, size: mostShown, ascs: 'sort' }, { signal });
      return answer.success ? answer.data.records : [];
    },
    [http, position],
  );
  const { rows, order } = useOrder<BannerRow>(read, async (next) => (await http.send(banner.order, { position, ids: next.map(({ id }) => id) })).success);
  return (
    <div className={styles.panel}>
      <Radio.Group type="button" value={position} onChange={setPosition} aria-label={say(traitsOf(Banner.fields.position)?.title ?? miniappWords.arrange)}>
        {positions.map(([value, title]) => (
          <Radio key={value} value={value}>
            {say(title)}
          </Radio>
        ))}
      </Radio.Group>
      <p className={styles.hint}>{rows?.length === 0 ? say(miniappWords.nothing) : text('order.hint')}</p>
      <OrderList
        rows={rows ?? []}
        nameOf={({ title }) => title}
        pictureOf={({ image }) => <img className={styles.picture} src={thumbnailUrl(image)} alt="" />}
        onOrder={(next) => void order(next)}
      />
    </div>
  );
}
