import { dictionary } from '#shared/fields';

/** Industries of advertisers. */
export const industries = dictionary({
  code: 'industry',
  title: ['所属行业', 'Industries'],
  entries: [
    ['1', ['电商零售', 'E-commerce and retail']],
    ['2', ['食品饮料', 'Food and drinks']],
    ['3', ['美妆个护', 'Beauty and personal care']],
    ['4', ['服饰鞋包', 'Fashion']],
    ['5', ['数码家电', 'Electronics and appliances']],
    ['6', ['家居建材', 'Home and building materials']],
    ['7', ['汽车出行', 'Cars and mobility']],
    ['8', ['教育培训', 'Education and training']],
    ['9', ['金融保险', 'Finance and insurance']],
    ['10', ['医疗健康', 'Health care']],
    ['11', ['文旅酒店', 'Travel and hotels']],
    ['12', ['游戏娱乐', 'Games and entertainment']],
    ['13', ['餐饮外卖', 'Restaurants and delivery']],
    ['14', ['企业服务', 'Business services']],
    ['15', ['公益政务', 'Public services']],
    ['16', ['其他', 'Other']],
  ],
});
