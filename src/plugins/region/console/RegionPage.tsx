import { Select } from '@arco-design/web-react';
import { useEffect, useId, useRef, useState } from 'react';
import { CrudPage, Http, SidePanel, useService, useTranslation } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import { Region, region, regionMessages } from '../contract.ts';
import { regionMenu } from '../menus.ts';
import { nouns } from './nouns.ts';

type Nodes = ReplyOf<typeof region.lazyTree>;
interface Walk {
  readonly picked: Nodes;
  /** Options of each level, with one level more than are selected. */
  readonly offered: readonly Nodes[];
}

const levels = traitsOf(Region.fields.regionLevel)?.options?.slice(1) ?? [];

/** Tries out the region picker of address fields and shows the code it would store. */
function RegionTrial() {
  const t = useTranslation();
  const { walk, pick } = useWalk();
  const last = walk.picked.at(-1);
  return (
    <div>
      {walk.offered.map(
        (nodes, index) =>
          nodes.length > 0 && (
            <LevelSelect key={walk.picked[index - 1]?.value ?? 'country'} index={index} nodes={nodes} onPick={(node) => void pick(index, node)} />
          ),
      )}
      <p role="status">{last && t(regionMessages.picked, { code: last.value, path: walk.picked.map(({ title }) => title).join(' / ') })}</p>
    </div>
  );
}

interface LevelSelectProps {
  readonly index: number;
  readonly nodes: Nodes;
  readonly onPick: (node: Nodes[number]) => void;
}

function LevelSelect({ index, nodes, onPick }: LevelSelectProps) {
  const t = useTranslation();
  const id = useId();
  const choose = (code: string) => {
    const node = nodes.find((each) => each.value === code);
    if (node) onPick(node);
  };
  return (
    <div>
      <span id={id}>{t(levels[index]?.[1] ?? regionMessages.level)}</span>
      <Select aria-labelledby={id} showSearch options={nodes.map((node) => ({ label: node.title, value: node.value }))} onChange={choose} />
    </div>
  );
}

function useWalk() {
  const http = useService(Http);
  const [walk, setWalk] = useState<Walk>({ picked: [], offered: [] });
  const requests = useRef(0);

  const below = async (parentCode: string | undefined, picked: Nodes, offered: readonly Nodes[]) => {
    requests.current += 1;
    const request = requests.current;
    const answer = await http.send(region.lazyTree, parentCode === undefined ? {} : { parentCode }).catch(() => undefined);
    if (request === requests.current && answer?.success) setWalk({ picked, offered: [...offered, answer.data] });
  };
  const pick = async (index: number, node: Nodes[number]) => {
    const next = { picked: [...walk.picked.slice(0, index), node], offered: walk.offered.slice(0, index + 1) };
    setWalk(next);
    if (node.hasChildren) await below(node.value, next.picked, next.offered);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the provinces are read once
  useEffect(() => {
    void below(undefined, [], []);
    return () => {
      requests.current += 1;
    };
  }, []);
  return { walk, pick };
}

/** Shows regions as a tree that loads level by level; the parent of a new region is selected or derived from its code. */
export default function RegionPage() {
  const t = useTranslation();
  const [isTrying, setTrying] = useState(false);
  return (
    <>
      <CrudPage
        crud={region}
        title={regionMenu.title}
        noun={nouns.region}
        fields={['name', 'code', 'regionLevel', 'sort', 'remark']}
        actions={{
          row: [{ title: regionMessages.addBelow, code: codes(region.menu).add, onClick: ({ id, code }, screen) => screen.add({ parentId: id, code }) }],
          toolbar: [{ title: regionMessages.tryPicker, code: 'region_debug', onClick: () => setTrying(true) }],
        }}
      />
      {isTrying && (
        <SidePanel open title={t(regionMessages.tryPicker)} width={480} onClose={() => setTrying(false)}>
          <RegionTrial />
        </SidePanel>
      )}
    </>
  );
}
