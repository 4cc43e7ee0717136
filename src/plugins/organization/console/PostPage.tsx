import { CrudPage } from '#kernel';
import { post } from '../contract.ts';
import { postMenu } from '../menus.ts';

/** The posts of the tenant. */
export default function PostPage() {
  return <CrudPage crud={post} title={postMenu.title} fields={['postName', 'postCode', 'category', 'sort', 'remark', 'createTime']} />;
}
