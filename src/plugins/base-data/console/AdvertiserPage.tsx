import { CrudPage } from '#kernel';
import { advertiser } from '../contract.ts';
import { advertiserMenu } from '../menus.ts';

const hidden = { short_name: { hidden: true }, industry: { hidden: true }, city_code: { hidden: true }, companyid: { hidden: true }, remark: { hidden: true } };

/** Advertisers. Top task: take down a new customer, 2 clicks beside typing (add, save); three fields are asked for. */
export default function AdvertiserPage() {
  return <CrudPage crud={advertiser} title={advertiserMenu.title} columns={hidden} formWidth={760} />;
}
