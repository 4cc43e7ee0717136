import { CrudPage } from '#kernel';
import { advertiser } from '../contract.ts';
import { advertiserMenu } from '../menus.ts';
import { nouns } from './nouns.ts';

const hidden = { short_name: { hidden: true }, industry: { hidden: true }, city_code: { hidden: true }, companyid: { hidden: true }, remark: { hidden: true } };

/** Lists advertisers. Top task: add a new advertiser, 2 clicks besides typing (add, save); three fields are required. Its record opens after that, with the buttons that record money. */
export default function AdvertiserPage() {
  return <CrudPage crud={advertiser} title={advertiserMenu.title} noun={nouns.advertiser} columns={hidden} formWidth={760} opensAdded />;
}
