import { expect, test } from '@jest/globals';
import { languageOf } from './text-language.ts';

test.each([
  ['東京で小さな本を作っています。', 'ja'],
  ['ポエム', 'ja'],
  ['한국어로 씁니다', 'ko'],
  ['我们在这里写诗', 'zh'],
  ['一個人在山中讀書寫字畫畫唱歌', 'zh'],
  ['أكتب رسائل من القاهرة', 'ar'],
  ['اردو میں لکھتے ہیں', 'ur'],
  ['אני כותבת שירים', 'he'],
  ['Я пишу стихи и эссе', 'ru'],
  ['Пишу вірші українською: їжак', 'uk'],
  ['Γράφω ποιήματα', 'el'],
  ['ฉันเขียนบทกวี', 'th'],
  ['ຂ້ອຍຂຽນ', 'lo'],
  ['ខ្ញុំសរសេរ', 'km'],
  ['ನಾನು ಬರೆಯುತ್ತೇನೆ', 'kn'],
  ['ഞാൻ എഴുതുന്നു', 'ml'],
  ['હું લખું છું', 'gu'],
  ['ਮੈਂ ਲਿਖਦਾ ਹਾਂ', 'pa'],
  ['ମୁଁ ଲେଖେ', 'or'],
  ['මම ලියනවා', 'si'],
  ['އަހަރެން ލިޔަން', 'dv'],
  ['ინგლისური და ქართული', 'ka'],
  ['YOSHIKI 太郎です、よろしくお願いします', 'ja'],
])('%s is in %s', (text, language) => expect(languageOf(text)).toBe(language));

test.each([
  ['東京日記', 'und-Hani'],
  ['Пиша стихове', 'und-Cyrl'],
  ['می‌خواهم', 'und-Arab'],
  ['मैं कविता', 'und-Deva'],
  ['Амара', 'und-Cyrl'],
  ['ကဗျာ', 'und-Mymr'],
  ['སྙན་ངག', 'und-Tibt'],
  ['ᠮᠣᠩᠭᠣᠯ', 'und-Mong'],
])('of %s only the script is certain: %s', (text, language) => expect(languageOf(text)).toBe(language));

test.each([
  '',
  'R150',
  '€ 12',
  'I write letters.',
  'J’écris des poèmes',
  'Nguyễn',
  'My favourite word is 猫',
])('nothing is claimed of %j', (text) => expect(languageOf(text)).toBe(''));

test('a short text takes the language of others by the same person in its script', () => {
  expect(languageOf('東京日記', 'I write', '東京で作っています')).toBe('ja');
  expect(languageOf('東京日記', '我们在这里')).toBe('zh');
  expect(languageOf('東京日記', 'Я пишу эссе')).toBe('und-Hani');
  expect(languageOf('R150', '東京で作っています')).toBe('');
});
