import { useRef, useState } from 'react';
import { CrudPage, type CrudScreen, SidePanel, useTranslation } from '#kernel';
import { codes } from '#shared/menu-entry';
import { type BannerLine, type BannerRow, banner } from '../contract.ts';
import { bannerMenu } from '../menus.ts';
import { BannerOrder } from './BannerOrder.tsx';
import { miniappMessages, phaseMessages } from './messages.ts';
import { nouns } from './nouns.ts';

const tones = { off: 'neutral', waiting: 'warning', showing: 'good', over: 'neutral' } as const;

/** Lists banners. Top task: show one for some days, 7 clicks (add, picture, from, day, until, day, save). */
export default function BannerPage() {
  const t = useTranslation();
  const [isArranging, setIsArranging] = useState(false);
  const list = useRef<CrudScreen<BannerRow>>(undefined);
  const openOrder = (screen: CrudScreen<BannerRow>) => {
    list.current = screen;
    setIsArranging(true);
  };
  const close = () => {
    setIsArranging(false);
    list.current?.reload();
  };
  return (
    <>
      <CrudPage
        crud={banner}
        title={bannerMenu.title}
        noun={nouns.banner}
        fields={['image', 'title', 'position', 'status', 'link_type', 'link', 'start_at', 'end_at']}
        columns={{
          link_type: { hidden: true },
          status: {
            render: (row) => {
              const { phase } = row as BannerLine;
              return <span className={`cell_tag cell_tag_${tones[phase]}`}>{t(phaseMessages[phase])}</span>;
            },
          },
        }}
        actions={{ toolbar: [{ title: miniappMessages.arrange, code: codes(banner.menu).edit, onClick: (_ids, screen) => openOrder(screen) }] }}
      />
      <SidePanel open={isArranging} title={t(miniappMessages.arrange)} width={520} onClose={close}>
        <BannerOrder />
      </SidePanel>
    </>
  );
}
