/** The page of `components.flow.ts`: components as screens use them, without the application around them. */
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Button } from '../src/ui/button'
import { Dialog } from '../src/ui/dialog'
import { ChoiceField, NameField } from '../src/ui/fields'
import { Menu, MenuItem, Popover } from '../src/ui/menu'
import { Panes } from '../src/ui/panes'
import { SearchInput } from '../src/ui/search-input'
import { Failed } from '../src/ui/states'
import { Table } from '../src/ui/table'
import { Tabs } from '../src/ui/tabs'
import '../src/ui/base.css'

const ROWS = [
  { name: 'greet', calls: 1200 },
  { name: 'ask', calls: 7 },
]

function Components() {
  const [said, say] = useState('nothing')
  const [tab, choose] = useState('one')
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [color, setColor] = useState('')
  const [name, setName] = useState('')
  return (
    <main>
      <h1>Components</h1>
      <output>{said}</output>
      <Tabs
        tabs={[
          ['one', 'First'],
          ['two', 'Second'],
          ['three', 'Third'],
        ]}
        chosen={tab}
        choose={(next) => {
          choose(next)
          say(`tab ${next}`)
        }}
      />
      <Menu trigger={<Button>Actions</Button>}>
        <MenuItem choose={() => say('renamed')}>Rename</MenuItem>
        <MenuItem choose={() => say('deleted')} danger>
          Delete
        </MenuItem>
      </Menu>
      <Popover label="Details" trigger={<Button>More</Button>}>
        <p>What a popover holds</p>
      </Popover>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog title="A question" open={isOpen} close={() => setOpen(false)}>
        <Button onClick={() => say('yes')}>Yes</Button>
      </Dialog>
      <SearchInput label="Search names" text={text} setText={setText} />
      <form>
        <ChoiceField
          label="Color"
          of={{ red: 'Red', blue: 'Blue' }}
          value={color}
          choose={setColor}
          first="choose"
        />
        <NameField label="Model" names={['small', 'large']} value={name} set={setName} />
        <Button type="submit">Save</Button>
      </form>
      <Table
        label="Ops"
        keyOf={(row) => row.name}
        rows={ROWS.filter((row) => row.name.includes(text))}
        columns={[
          { title: 'Op', cell: (row) => row.name },
          { title: 'Calls', cell: (row) => row.calls, isNumber: true },
        ]}
      />
      <Failed error={new Error('It broke.')} retry={() => say('tried again')} />
      <Panes name="components" label="Width of the list" className="components">
        <p>left</p>
        <p>right</p>
      </Panes>
    </main>
  )
}

createRoot(document.getElementById('root')!).render(<Components />)
