import { CrudPage } from '#kernel';
import { post } from '../contract.ts';
import { postMenu } from '../menus.ts';
import { nouns } from './messages.ts';

/** Lists the positions of the tenant. */
export default function PostPage() {
  return <CrudPage crud={post} title={postMenu.title} noun={nouns.post} fields={['postName', 'postCode', 'category', 'sort', 'remark', 'createTime']} />;
}
