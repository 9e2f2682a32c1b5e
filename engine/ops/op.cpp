#include "engine/ops/op.h"

#include <cassert>

namespace partita {

/// In foreign.cpp: an attribute that another program gave its operator; null if it gave none of that name.
const AttributeValue* foreign_attribute(const OpRecord& record, const AttributeList& values, std::string_view name);

int OpRecord::attribute_index(std::string_view attribute) const {
    for (size_t i = 0; i < attributes.size(); ++i)
        if (attributes[i].name == attribute) return int(i);
    return -1;
}

AttributeList OpRecord::default_attributes() const {
    AttributeList list;
    for (const AttributeField& field : attributes) list.push_back(field.default_value);
    return list;
}

const AttributeValue* AttributesView::find(std::string_view name) const {
    if (op_->foreign)
        if (const AttributeValue* own = foreign_attribute(*op_, *values_, name)) return own;
    int index = op_->attribute_index(name);
    return index < 0 || size_t(index) >= values_->size() ? nullptr : &(*values_)[size_t(index)];
}

const AttributeValue& AttributesView::operator[](std::string_view name) const {
    const AttributeValue* value = find(name);
    assert(value);
    return *value;
}

int64_t AttributesView::integer(std::string_view name) const {
    const Integer* integer = (*this)[name].as_integer();
    assert(integer);
    return integer->value;
}

bool AttributesView::boolean(std::string_view name) const {
    const bool* flag = (*this)[name].as_bool();
    assert(flag);
    return *flag;
}

double AttributesView::real(std::string_view name) const {
    const double* number = (*this)[name].as_double();
    assert(number);
    return *number;
}

const std::string& AttributesView::string(std::string_view name) const {
    const std::string* text = (*this)[name].as_string();
    assert(text);
    return *text;
}

DataType AttributesView::dtype(std::string_view name) const {
    const DataType* dtype = (*this)[name].as_dtype();
    assert(dtype);
    return *dtype;
}

std::vector<int64_t> AttributesView::integers(std::string_view name) const {
    const AttributeValue& value = (*this)[name];
    std::vector<int64_t> list;
    if (const Integer* single = value.as_integer()) list.push_back(single->value);
    if (const AttributeValue::List* items = value.as_list())
        for (const AttributeValue& item : *items)
            if (const Integer* integer = item.as_integer()) list.push_back(integer->value);
    return list;
}

}  // namespace partita
