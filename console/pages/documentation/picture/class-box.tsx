import type { PlacedBox } from './layout.ts'
import { SIZES, shown } from './sizes.ts'

interface ClassBoxProps {
  readonly placed: PlacedBox
  readonly href: string
}

/** A class with the first of its properties; all of the box is a link, whose name is that of the class alone. */
export function ClassBox({ placed: { box, x, y, width, height }, href }: ClassBoxProps) {
  const { title, lines, more } = box
  const left = x + SIZES.padding
  const baseline = (line: number): number => y + SIZES.head + LINE_BASELINE + line * SIZES.line
  return (
    <>
      <a class="picture-box" href={href}>
        <rect class="picture-frame" x={x} y={y} width={width} height={height} rx="8" />
        <text class="picture-name" x={left} y={y + HEAD_BASELINE}>
          {shown(title, 'title')}
        </text>
      </a>
      <g class="picture-lines">
        {lines.length + more > 0 && <path class="picture-rule" d={`M${x} ${y + SIZES.head}h${width}`} />}
        {lines.map(({ name, type }, index) => (
          <g key={name}>
            <text class="picture-property" x={left} y={baseline(index)}>
              {shown(name, 'name')}
            </text>
            <text class="picture-type" x={x + width - SIZES.padding} y={baseline(index)} text-anchor="end">
              {shown(type, 'type')}
            </text>
          </g>
        ))}
        {more > 0 && (
          <text class="picture-type" x={left} y={baseline(lines.length)}>
            {`${lines.length ? '+ ' : ''}${more} ${more === 1 ? 'property' : 'properties'}`}
          </text>
        )}
      </g>
    </>
  )
}

const HEAD_BASELINE = 23
const LINE_BASELINE = 19
