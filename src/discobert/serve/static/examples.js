// Texts to try; all were written for this page.
export const EXAMPLES = [
  {
    title: "A lighthouse goes dark",
    kind: "News",
    text: `The lighthouse on Merrow Head will be switched off in October after 163 years, the coastguard said on Tuesday, because fewer than a dozen ships a month still need its beam.

The tower, which stands on a cliff 40 metres above the sea, was built after a mail steamer struck the rocks in 1861 and 58 people drowned. Its lamp has been worked by a computer since the last keeper retired in 1989, but a technician still climbs the 112 steps every six weeks to clean the lens.

"Everybody on the bridge of a modern ship looks at a screen," said Anneke Dorr, who is responsible for sea marks on the west coast. "We keep lights where a screen is not enough, and Merrow Head is no longer such a place."

Fishermen disagree. About 30 small boats leave the harbour of Sallow before dawn, and many of them have no second receiver. When satellite signals failed for four hours in March, two crews found their way home by the light, according to the harbour master, Joss Tregarth.

"They say it happens once in ten years," he said. "Once is enough if you are out there."

The coastguard has offered to leave a smaller lamp that can be seen for five miles instead of nineteen. The parish council will vote on the offer next week. If it accepts, the old lens will be moved to the museum in Sallow, where visitors can see it turn.`,
  },
  {
    title: "Minutes of a housing board",
    kind: "Meeting",
    text: `Minutes of the board meeting

Present: R. Adeyemi (chair), L. Brandt, C. Ito, M. Sowa. Apologies: P. Leclerc.

Heating

The chair reported that the boiler in the north building failed three times in January. The repair firm believes that the pump is worn out, although it has not opened the casing yet. A new pump costs 4,800 euros; a new boiler would cost about 31,000 and use a fifth less gas. Ms Ito asked whether the reserve fund could pay for a boiler without a higher fee. Mr Brandt answered that it could if the roof waited until next year.

The board decided to replace the pump now and to ask three firms for offers for a boiler by the end of May.

Bicycle room

Several residents have complained that the room is full of bicycles that nobody rides. Labels will be fixed to all of them on 2 April. Whatever still has its label on 30 April will be given to the repair café.

Any other business

Ms Sowa thanked the volunteers who cleared the snow. Mr Brandt will publish the new keys for the laundry because the old list contained two errors.

The next meeting is on 14 May at 19:00 in the common room.`,
  },
  {
    title: "Why bread goes stale",
    kind: "Explainer",
    text: `Why bread goes stale

Most people think that bread goes stale because it dries out. Drying plays a part, but a loaf that is sealed in a bag, and so loses no water at all, still becomes hard within a few days.

What happens to the starch

Flour consists mainly of starch, which is stored in tiny grains with a regular structure. In the oven the grains swell with water and lose that structure, which makes fresh crumb soft. As soon as the loaf cools, the long molecules begin to line up again. They push water out of the grains, and the crumb becomes firm and crumbly although the water is still in the bread.

Why the refrigerator is the wrong place

The molecules line up fastest just above the freezing point. Bread therefore goes stale several times faster in a refrigerator than on the table. Below about minus 18 degrees the process almost stops, so that frozen bread keeps for weeks.

What helps

Heat undoes the change. If stale bread is warmed to about 60 degrees, the crumb softens again, which is why toast tastes fresh. The effect lasts only until the slice cools. Fat, sugar and sourdough slow the process down, but none of them prevents it.`,
  },
  {
    title: "The clock that ran backwards",
    kind: "Story",
    text: `When Ilse inherited the shop, there was a clock in the window that ran backwards. Her uncle had built it as a joke, and children came after school to watch the hands go the wrong way.

She wanted to sell it. The shop had debts, and a collector from the city had offered enough to pay the rent until the summer. He would come on Friday, he wrote, and bring the money with him.

On Thursday evening an old man knocked although the sign said that the shop was closed. He asked whether he could look at the clock for a minute. He had been a boy when it was put into the window, he explained, and his mother had told him that it counted the time that was still to come instead of the time that was gone.

"She was ill that year," he said. "I came every day to see how much was left."

Ilse made tea. They sat in front of the window until it was dark, and neither of them said much. When he left, he thanked her as if she had given him something.

The collector arrived at ten the next morning. Ilse sold him two pocket watches and a barometer for less than he had offered. The clock, she told him, was not hers to sell.`,
  },
];
