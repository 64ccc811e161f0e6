//! Comma-separated values: a row for each test. `measure` and `--augment` read it back.

use super::table::Columns;
use super::{ExportError, Extras, guarded};
use crate::Suite;

pub(super) fn write(suite: &Suite, _extras: &Extras<'_>) -> Result<String, ExportError> {
    let columns = Columns::of(suite);
    let inputs = columns.input_names();
    // A column that is not an input gives way to an input of the same name, so that the table can be read back.
    let besides = |name: &str| !inputs.contains(&name);
    let outputs: Vec<String> = columns.outputs.iter().map(|name| format!("expected {name}")).collect();
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let mut head: Vec<&str> = Vec::new();
    head.extend(besides("test").then_some("test"));
    head.extend(&inputs);
    head.extend(outputs.iter().map(String::as_str).filter(|name| besides(name)));
    head.extend(besides("covers").then_some("covers"));
    record(&mut writer, &head);
    for test in &suite.tests {
        let mut row: Vec<String> = Vec::new();
        row.extend(besides("test").then(|| test.id.clone()));
        row.extend(columns.input_texts(test));
        let expected = columns.output_texts(test).into_iter().zip(&outputs);
        row.extend(expected.filter(|(_, name)| besides(name)).map(|(text, _)| text));
        row.extend(besides("covers").then(|| test.covers.join(" ")));
        record(&mut writer, &row);
    }
    let bytes = writer.into_inner().expect("writing to memory does not fail");
    Ok(String::from_utf8(bytes).expect("rows of text are text"))
}

fn record<T: AsRef<str>>(writer: &mut ::csv::Writer<Vec<u8>>, row: &[T]) {
    let cells = row.iter().map(|text| guarded(text.as_ref()).into_owned());
    writer.write_record(cells).expect("every row has the columns of the head");
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn a_row_for_each_test() {
        let text = write(&crate::sample::policy(), &Extras::default()).expect("a table");
        expect![[r#"
            test,age,rate,mask,level,for,expected hire,covers
            t1,31,1/3,#x0f,high,true,true,c1
            t2,-30,2,#xff,low,false,false,c1 c2
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn an_input_called_test_takes_the_place_of_the_number() {
        let mut suite = crate::sample::policy();
        suite.interface.as_mut().expect("it has one").inputs[0].name = "test".to_owned();
        let text = write(&suite, &Extras::default()).expect("a table");
        assert!(text.starts_with("test,rate,mask,level,for,expected hire,covers\n,1/3,"), "{text}");
    }
}
